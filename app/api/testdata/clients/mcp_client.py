"""Uses the library by the official MCP client for Python, over HTTP and over standard input and output."""

import asyncio
import os

import httpx2
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client


async def use(way, server):
    async with Client(server) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(tools) == {"ask", "list_documents", "open_passage", "search"}, tools
        assert all(tool.input_schema["additionalProperties"] is False for tool in tools.values())

        found = (await client.call_tool("search", {"query": "heating season", "limit": 3})).structured_content
        passage = found["passages"][0]
        opened = (await client.call_tool("open_passage", {"passage": passage["passage"]})).structured_content
        assert "1 October" in opened["text"], opened
        none = (await client.call_tool("search", {"query": "heating season", "types": ["pdf"]})).structured_content
        assert none["passages"] == [], none  # a filter of an agent is hard

        listed = (await client.call_tool("list_documents", {"search": "quay"})).structured_content["documents"]
        read = await client.read_resource(listed[0]["uri"])
        assert "Vesta 40" in read.contents[0].text, read

        told = []

        async def progress(done, total, message):
            told.append(message)

        history = []
        for question in ["Which boiler heats Quay House?", "When does its heating season begin?"]:
            reply = await client.call_tool("ask", {"question": question, "engine": "condense_context", "history": history}, progress_callback=progress)
            assert not reply.is_error, reply
            answer = reply.structured_content
            print(way, "answer:", answer["answer"])
            history += [{"role": "user", "text": question}, {"role": "assistant", "text": answer["answer"]}]
        if way == "stdio":  # over HTTP progress comes on another stream, in its own time
            assert any("heating season" in message for message in told), told

        wrong = await call(client, "search", {"qery": "x"})
        assert "qery" in wrong, wrong
        print(way, "refused:", "a misspelled argument")


async def call(client, tool, arguments):
    """The sentence of a refusal, in either of the two forms that the protocol has."""
    try:
        reply = await client.call_tool(tool, arguments)
    except MCPError as e:
        return str(e)
    assert reply.is_error, reply
    return reply.content[0].text


async def main():
    headers = {"Authorization": "Bearer " + os.environ["REFERENT_TOKEN"]}
    async with httpx2.AsyncClient(headers=headers, trust_env=False, timeout=60) as http:
        await use("http", streamable_http_client(os.environ["REFERENT_URL"] + "/mcp", http_client=http))
    await use("stdio", StdioServerParameters(command=os.environ["REFERENT_PROGRAM"], args=["--data", os.environ["REFERENT_DATA"], "serve", "--mcp"]))


asyncio.run(main())
