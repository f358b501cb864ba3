"""Uses the window as a screen reader does: over AT-SPI, by role and name only.

Started inside a session bus of its own with the program and its arguments.
Prints one line of JSON for each thing asked of it on standard input:
{"see": [role, name]}   waits until something of that role has that name
{"press": [role, name]} does its first action
{"text": [words]}       waits until the words are shown somewhere
{"run": [command...]}   runs a command beside the program
{"tree": []}            lists the roles and names of the window
"""
import json
import os
import subprocess
import sys
import time
import traceback

launcher = next(p for p in ("/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher") if os.path.exists(p))
bus = subprocess.Popen([launcher, "--launch-immediately", "--a11y=1", "--screen-reader=1"], stdout=sys.stderr)
program = subprocess.Popen(sys.argv[1:], stdout=sys.stderr)

import gi  # noqa: E402 (the bus comes first)

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402

WAIT = 120  # seconds; a guard against a hang


def walk(node):
    if node is None:
        return
    yield node
    try:
        children = [node.get_child_at_index(i) for i in range(node.get_child_count())]
    except Exception:  # it has just gone
        return
    for child in children:
        yield from walk(child)


def window():
    desktop = Atspi.get_desktop(0)
    for i in range(desktop.get_child_count()):
        app = desktop.get_child_at_index(i)
        if app is not None and app.get_process_id() == program.pid:
            yield from walk(app)


def found(role, name):
    for node in window():
        try:
            if node.get_role_name() == role and name in (node.get_name() or ""):
                return node
        except Exception:  # it has just gone
            continue
    return None


def wait_for(find, *args):
    end = time.monotonic() + WAIT
    while time.monotonic() < end:
        try:
            node = find(*args)
        except Exception:  # the bus is busy, or the window has just begun anew
            node = None
        if node is not None:
            return node
        time.sleep(0.1)
    return None


def shown(words):
    for node in window():
        try:
            if "Text" in node.get_interfaces() and words in Atspi.Text.get_text(node, 0, -1):
                return node
        except Exception:  # it has just gone
            continue
    return None


def answer(value):
    print(json.dumps(value), flush=True)


try:
    for line in sys.stdin:
        [(verb, args)] = json.loads(line).items()
        if verb == "tree":
            answer([[n.get_role_name(), n.get_name() or ""] for n in window()])
            continue
        if verb == "run":
            answer(subprocess.run(args, stdout=sys.stderr).returncode == 0)
            continue
        node = wait_for(shown if verb == "text" else found, *args)
        try:
            if node is not None and verb == "press":
                node.do_action(0)
        except Exception:  # it has gone since
            traceback.print_exc()
            node = None
        answer(node is not None)
finally:
    program.terminate()
    code = program.wait(60)
    bus.terminate()
    sys.exit(code)
