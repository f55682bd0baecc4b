"""What a model needs of one device: models, quantisations, estimators. Pure; knows no claim and no cluster."""
