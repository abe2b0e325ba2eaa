"""Random questions and writes, asked on both engines: their answers have to be the same."""
