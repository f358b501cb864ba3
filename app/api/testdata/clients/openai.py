"""Asks by the official OpenAI client for Python, as it comes from the registry."""

import math
import os

import openai

client = openai.OpenAI(base_url=os.environ["REFERENT_URL"] + "/v1", api_key=os.environ["REFERENT_TOKEN"], max_retries=0)

names = [m.id for m in client.models.list()]
assert "referent" in names and "referent:condense_context" in names, names

messages = [{"role": "system", "content": "You are a pirate."}]
for question in ["Which boiler heats Quay House?", "When does its heating season begin?"]:
    messages.append({"role": "user", "content": question})
    reply = client.chat.completions.create(model="referent:condense_context", messages=messages, temperature=0.2)
    extra = reply.model_extra["referent"]
    assert reply.choices[0].finish_reason == "stop" and reply.usage.total_tokens > 0
    assert any("role system were left out" in note for note in extra["notes"]), extra["notes"]
    assert extra["sources"][0]["path"].endswith("quay.md") and extra["answer_check"]["status"] == "supported"
    print("searched:", extra["prepared"]["search_queries"][0])
    print("answer:", extra["answer"])
    messages.append({"role": "assistant", "content": reply.choices[0].message.content})

text, usage, extra = "", None, None
with client.chat.completions.create(model="referent", messages=messages[:2], stream=True, stream_options={"include_usage": True},
                                    extra_body={"referent": {"sources_as_text": False}}) as stream:
    for chunk in stream:
        usage = chunk.usage or usage
        extra = (chunk.model_extra or {}).get("referent") or extra
        for choice in chunk.choices:
            text += choice.delta.content or ""
assert text == extra["answer"] and usage.total_tokens > 0, (text, extra)
print("streamed:", text)

one, two = client.embeddings.create(model="referent", input=["a boiler", "a heating season"]).data
assert math.isclose(sum(x * x for x in one.embedding), 1, abs_tol=1e-4) and len(one.embedding) == len(two.embedding)


def refused(kind, status, code, call):
    try:
        call()
    except kind as e:
        assert e.status_code == status and e.code == code, (e.status_code, e.code)
        print("refused:", status, code)
        return
    raise AssertionError(f"no {kind.__name__}")


question = [{"role": "user", "content": "Which boiler heats Quay House?"}]
refused(openai.NotFoundError, 404, "not_found", lambda: client.chat.completions.create(model="gpt-4o", messages=question))
refused(openai.UnprocessableEntityError, 422, "unknown_chat_engine", lambda: client.chat.completions.create(model="referent:oracle", messages=question))
refused(openai.UnprocessableEntityError, 422, "invalid_request", lambda: client.chat.completions.create(model="referent", messages=question, extra_body={"mesages": []}))
refused(openai.AuthenticationError, 401, "unauthorized", lambda: client.with_options(api_key="wrong").chat.completions.create(model="referent", messages=question))
