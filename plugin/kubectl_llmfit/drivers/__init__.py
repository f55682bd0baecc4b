"""Drivers: what each DRA driver publishes, as data, and what a claim can ask of its devices.

``profile`` says what a profile is, one module per driver holds one, ``registry`` knows them all. ``products`` is the
product table, ``tablefile`` reads one. ``asking`` turns a profile and floors into ``conditions``, from which CEL is
written elsewhere.
"""
