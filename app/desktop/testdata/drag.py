"""Offers files to drag: a small window above all others, at the place given.

Arguments: x, y, then the paths. Prints "ready" once it can be dragged from and
"dropped" when something has taken the files, and ends.
"""
import pathlib
import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("Gdk", "3.0")
from gi.repository import Gdk, Gtk  # noqa: E402

x, y, paths = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
window = Gtk.Window(type=Gtk.WindowType.POPUP)
window.set_default_size(40, 40)
window.move(x, y)
box = Gtk.EventBox()
window.add(box)
box.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, [], Gdk.DragAction.COPY)
box.drag_source_add_uri_targets()
box.connect("drag-data-get", lambda _w, _c, data, _i, _t: data.set_uris([pathlib.Path(p).as_uri() for p in paths]))


def ended(*_):
    print("dropped", flush=True)
    Gtk.main_quit()


box.connect("drag-end", ended)
window.connect("map-event", lambda *_: print("ready", flush=True))
window.show_all()
Gtk.main()
