"""Driver profiles: what each DRA driver calls memory, bandwidth, health and kind. Data and look-up only.

``profile`` says what a profile is, one module per driver holds one, ``registry`` knows them all.
"""
