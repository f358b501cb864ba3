//go:build linux && cgo && webkit2_41 && (desktop || dev)

package desktop

/*
#cgo pkg-config: gtk+-3.0 webkit2gtk-4.1

#include <gtk/gtk.h>
#include <webkit2/webkit2.h>

static void zoom_widget(GtkWidget *widget, gpointer level) {
	if (WEBKIT_IS_WEB_VIEW(widget))
		webkit_web_view_set_zoom_level(WEBKIT_WEB_VIEW(widget), *(gdouble *)level);
	else if (GTK_IS_CONTAINER(widget))
		gtk_container_forall(GTK_CONTAINER(widget), zoom_widget, level);
}

static gboolean zoom_windows(gpointer level) {
	GList *windows = gtk_window_list_toplevels();
	for (GList *one = windows; one != NULL; one = one->next)
		zoom_widget(GTK_WIDGET(one->data), level);
	g_list_free(windows);
	g_free(level);
	return G_SOURCE_REMOVE;
}

// zoom_later sets the zoom of every page, on the thread that GTK belongs to.
static void zoom_later(gdouble level) {
	gdouble *kept = g_new(gdouble, 1);
	*kept = level;
	g_idle_add(zoom_windows, kept);
}
*/
import "C"

// zoomPage makes everything on the page larger or smaller, as a browser does:
// Wails has no call for it.
func zoomPage(percent int) { C.zoom_later(C.gdouble(percent) / 100) }
