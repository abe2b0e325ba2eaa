"""Metadata by SOAP: what an organization is made of, listed, read, written, taken as files."""
