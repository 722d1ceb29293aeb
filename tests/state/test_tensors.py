"""What the journal does for torch, where it is installed."""

from __future__ import annotations

import pytest

from tests.state.cells import namespace, run

torch = pytest.importorskip("torch", reason="torch is not installed (1 GB); `pip install torch` runs these as well")

TRAINING = """
import torch
torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU(), torch.nn.Linear(4, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
data, wanted = torch.randn(8, 3), torch.randn(8, 1)
def step():
    optimizer.zero_grad()
    loss = ((model(data) - wanted) ** 2).mean()
    loss.backward()
    optimizer.step()
step()
"""


def test_a_tensor_its_views_and_aliases_get_their_contents_back_in_place() -> None:
    names = namespace("import torch; whole = torch.arange(6.); part = whole[2:4]; other = whole")
    whole, part = names["whole"], names["part"]
    journal = run(names, "part += 5\nwhole.unsqueeze_(0)\nother.zero_()\n1 / 0")
    assert journal.rollback(0).exact
    assert whole.tolist() == [0, 1, 2, 3, 4, 5]
    assert part.tolist() == [2, 3]
    assert part.data_ptr() == whole[2:].data_ptr()


def test_a_training_step_is_undone_in_model_optimizer_and_gradients() -> None:
    names = namespace(TRAINING)
    model, optimizer = names["model"], names["optimizer"]
    weights = {name: value.clone() for name, value in model.state_dict().items()}
    gradients = [parameter.grad.clone() for parameter in model.parameters()]
    moments = [state["exp_avg"].clone() for state in optimizer.state.values()]
    parameters = list(model.parameters())
    journal = run(names, "step()\nstep()\nmodel.eval()\n1 / 0")
    assert not torch.equal(model[0].weight, weights["0.weight"])
    assert journal.rollback(0).exact
    assert all(torch.equal(value, weights[name]) for name, value in model.state_dict().items())
    assert all(torch.equal(p.grad, gradient) for p, gradient in zip(model.parameters(), gradients))
    assert all(torch.equal(state["exp_avg"], m) for state, m in zip(optimizer.state.values(), moments))
    assert all(now is then for now, then in zip(model.parameters(), parameters))
    assert model.training


def test_data_that_was_exchanged_and_requires_grad_come_back() -> None:
    names = namespace("import torch; weight = torch.nn.Parameter(torch.ones(3)); view = weight.detach()")
    journal = run(names, "weight.data = torch.zeros(5)\nweight.requires_grad_(False)\n1 / 0")
    assert journal.rollback(0).exact
    assert names["weight"].tolist() == [1, 1, 1]
    assert names["weight"].requires_grad
    assert names["weight"].data_ptr() == names["view"].data_ptr()


def test_a_graph_that_backward_used_up_is_named() -> None:
    names = namespace("import torch; weight = torch.ones(3, requires_grad=True); loss = (weight ** 2).sum()")
    journal = run(names, "loss.backward()\n1 / 0")
    assert journal.rollback(0).not_undone == ("loss (torch.Tensor)",)
    assert names["weight"].grad is None


def test_the_shared_generator_is_put_back() -> None:
    names = namespace("import torch; torch.manual_seed(1)")
    journal = run(names, "first = torch.rand(3)\n1 / 0")
    first = names["first"]
    assert journal.rollback(0).exact
    assert torch.equal(torch.rand(3), first)
