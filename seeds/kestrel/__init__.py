"""The world `kestrel`: a maker of workshop laser cutters with a software subscription."""
