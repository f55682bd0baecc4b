"""The answer: claims tried on nodes exactly as kube-scheduler's DynamicResources plugin does. Pure."""
