// Command warm compiles the PDF reader's module into the folder named by its
// only argument. It is a program of its own because package setup must build
// without any third-party module.
package main
