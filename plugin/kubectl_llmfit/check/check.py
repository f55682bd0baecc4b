"""The check: claims tried on every node of a cluster, and what comes of it.

``check_nodes`` puts the parts together: ``dra`` says what the scheduler does, ``verdicts`` what that means, ``reasons``
and ``suggestions`` what a person should know.
"""

from __future__ import annotations

from ..api.values import ClusterState
from ..dra.inventory import Inventory
from ..dra.rules import Rules, rules_for
from .choice import Choice, judged_nodes, require_choice
from .conditions import Conditions
from .devices import Devices, shared_devices, shared_pools
from .entries import Entries
from .kinds import device_plugin_offers
from .reasons import Reasons
from .subject import Subject, describe_claim, describe_inputs, describe_need
from .suggestions import Found, suggest
from .summary import decide_answer, summarise
from .told import Teller
from .tried import Tried, try_nodes
from .values import Answer, ClusterEntry, NodeCheck, Verdict


def check_nodes(
    subject: Subject, state: ClusterState, choice: Choice | None = None, rules: Rules | None = None
) -> NodeCheck:
    """Try the claims on every node of ``state`` and report on the chosen ones.

    ``rules`` are the scheduler's, by default those of the server's version with its default gates.
    ``state.slices`` must have been read. Raises UsageError for a chosen node that does not exist, CannotTellError
    where labels choose and nodes could not be read.
    """
    choice = choice or Choice()
    nodes = judged_nodes(state)
    require_choice(choice, nodes, state)
    rules = rules or rules_for(state.server_version)
    inventory = Inventory.prepare(state, rules)
    tried = try_nodes(subject.claims, nodes, inventory, choice)
    rows = {one.node.name: one for one in tried if one.chosen and _is_shown(one, choice)}
    conditions = Conditions(subject.claims, state, Teller(subject.alternatives, subject.table))
    devices = Devices(subject.claims, conditions, inventory)
    shared = shared_devices({one.node.name: one.answer for one in tried}, shared_pools(state.slices))
    reasons = Reasons(subject.claims, state, conditions, devices, inventory)
    entries = Entries(subject.claims, inventory, devices, reasons, shared, state.assumed_nodes)
    shown = tuple(map(entries.of_node, rows.values()))
    answer = decide_answer(tried, state)
    found = Found(tried, shown, conditions, reasons)
    return NodeCheck(
        inputs=describe_inputs(subject),
        need=describe_need(subject.need),
        claims=tuple(describe_claim(claim, subject.source, conditions) for claim in subject.claims),
        cluster=_describe_cluster(state, rules),
        summary=summarise(
            tried,
            shown,
            state,
            subject=subject,
            answer=answer,
            shares_devices=bool(shared),
            suggestions=suggest(subject, state, inventory, found) if answer is Answer.NO else (),
        ),
        nodes=shown,
        shared=devices.shared_groups({name: one.answer for name, one in rows.items()}, shared),
    )


def _is_shown(one: Tried, choice: Choice) -> bool:
    """A node has a row when it was named, publishes devices, looks like a GPU node, or changes the answer."""
    return (
        choice.all_nodes
        or bool(choice.names)
        or one.judged.verdict in {Verdict.FITS, Verdict.ERROR}
        or one.publishes
        or bool(device_plugin_offers(one.node))
    )


def _describe_cluster(state: ClusterState, rules: Rules) -> ClusterEntry:
    return ClusterEntry(
        context=state.context,
        server_version=state.server_version,
        rules=rules.version,
        feature_gates=rules.gates.named(),
        snapshot=state.snapshot,
        observed_at=state.observed_at,
        resource_version=state.resource_version,
    )
