from __future__ import annotations

from dataclasses import replace

from dra.dra_worlds import DRIVER, claim, holding, request
from kubectl_llmfit.dra.answer import DeviceID
from kubectl_llmfit.dra.occupancy import held_devices, shared_devices

D0 = DeviceID(DRIVER, "p", "d0")


def test_every_allocation_of_any_namespace_holds_its_devices() -> None:
    assert held_devices([holding("d0"), claim(request())]) == {D0: ("other/holder",)}


def test_a_claim_that_is_being_deleted_still_holds() -> None:
    assert D0 in held_devices([replace(holding("d0"), being_deleted=True)])


def test_admin_access_holds_nothing() -> None:
    assert held_devices([holding("d0", admin_access=True)]) == {}


def test_a_share_does_not_hold_the_device_but_is_remembered() -> None:
    share = holding("d0", share_id="1234")
    assert held_devices([share]) == {}
    assert shared_devices([share]) == {D0: ("other/holder",)}


def test_several_holders_of_a_device_are_all_named_once() -> None:
    claims = [holding("d0", "d0", holder="one"), holding("d0", holder="two")]
    assert held_devices(claims) == {D0: ("other/one", "other/two")}
