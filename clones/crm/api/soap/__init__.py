"""The API by SOAP: envelopes, their values, and the calls in them."""
