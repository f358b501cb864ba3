// Package launch opens the window: it reads the command line of a desktop
// (files to add, an action), hands it to a window that is open already, and
// shows what is wrong and the ways out where a data folder does not open.
//
// It also joins the look for a newer version to the network. main decides what
// it is given; nothing here knows models or storage.
package launch
