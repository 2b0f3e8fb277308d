// A page that is read and does nothing by itself.
