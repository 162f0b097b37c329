"""Toll Bench protocol core: rules decide commands, commands emit ledgered events, events give every figure.

Public are `Bench` with what it takes and gives (`Actor`, `Done`, `Event`), what can go wrong (`Refused` with its
`Problem`s, `Unknown`, `StoreError`), every command under its own name (`tollbench.RegisterPerson`; `toll schema` lists
them), and the parts that some commands hold (`DeclaredModel`, `PlanStep`, `Spend`, `Step`).

The names are loaded on first use (PEP 562). Nothing is imported eagerly, because test runners import this file a
second time under the name of the folder it lies in, and because the command line should start fast.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .adapters.bench import Bench, Done
    from .adapters.store.errors import StoreError
    from .domain.commands import Actor
    from .domain.deal.checkin import OpenLivenessReview as OpenLivenessReview
    from .domain.deal.checkin import PostCheckIn as PostCheckIn
    from .domain.deal.checkin import SweepOverdue as SweepOverdue
    from .domain.deal.commands import AmendDeal as AmendDeal
    from .domain.deal.commands import AnswerAsk as AnswerAsk
    from .domain.deal.commands import AppealOutcome as AppealOutcome
    from .domain.deal.commands import ApproveOutcome as ApproveOutcome
    from .domain.deal.commands import DeclareSubsidy as DeclareSubsidy
    from .domain.deal.commands import DeclineDeal as DeclineDeal
    from .domain.deal.commands import DeclineOutcome as DeclineOutcome
    from .domain.deal.commands import EndDeal as EndDeal
    from .domain.deal.commands import ExpireDeal as ExpireDeal
    from .domain.deal.commands import FundEscrow as FundEscrow
    from .domain.deal.commands import LapseDeal as LapseDeal
    from .domain.deal.commands import OpenAsk as OpenAsk
    from .domain.deal.commands import ProposeDeal as ProposeDeal
    from .domain.deal.commands import RecordEngineRevenue as RecordEngineRevenue
    from .domain.deal.commands import RecordInterimOutcome as RecordInterimOutcome
    from .domain.deal.commands import RecordSatisfaction as RecordSatisfaction
    from .domain.deal.commands import ReleaseEscrow as ReleaseEscrow
    from .domain.deal.commands import RequestOutcomeApproval as RequestOutcomeApproval
    from .domain.deal.commands import ReverseRelease as ReverseRelease
    from .domain.deal.commands import SettlePayment as SettlePayment
    from .domain.deal.commands import SignDeal as SignDeal
    from .domain.deal.commands import Spend, Step
    from .domain.deal.commands import StopDeal as StopDeal
    from .domain.deal.commands import SweepDeal as SweepDeal
    from .domain.deal.commands import WalkDeal as WalkDeal
    from .domain.deal.reviews import CloseReview as CloseReview
    from .domain.deal.reviews import InvalidateOutcome as InvalidateOutcome
    from .domain.deal.reviews import OpenReview as OpenReview
    from .domain.deal.reviews import RecordRelatedParty as RecordRelatedParty
    from .domain.deal.reviews import RecordScreening as RecordScreening
    from .domain.deal.sales import AgreeSplit as AgreeSplit
    from .domain.deal.sales import DisablePaymentLink as DisablePaymentLink
    from .domain.deal.sales import PromoteVenture as PromoteVenture
    from .domain.deal.sales import RecordExternalSale as RecordExternalSale
    from .domain.deal.sales import RegisterPaymentLink as RegisterPaymentLink
    from .domain.erasure import EraseVault as EraseVault
    from .domain.history.commands import ImportAttempts as ImportAttempts
    from .domain.milestone.commands import ApproveMilestone as ApproveMilestone
    from .domain.milestone.commands import DeclineMilestone as DeclineMilestone
    from .domain.milestone.commands import FileReceipt as FileReceipt
    from .domain.milestone.commands import RequestApproval as RequestApproval
    from .domain.milestone.commands import ReviseMilestone as ReviseMilestone
    from .domain.passport.commands import RegisterAgent as RegisterAgent
    from .domain.passport.market import OfferWorkflow as OfferWorkflow
    from .domain.passport.reach import StateReachability as StateReachability
    from .domain.passport.stewardship import CloseLivenessReview as CloseLivenessReview
    from .domain.passport.stewardship import RestoreNewWork as RestoreNewWork
    from .domain.passport.stewardship import SuspendNewWork as SuspendNewWork
    from .domain.period.commands import ClosePeriod as ClosePeriod
    from .domain.person.commands import CompleteVerification as CompleteVerification
    from .domain.person.commands import FileAttestation as FileAttestation
    from .domain.person.commands import RegisterPerson as RegisterPerson
    from .domain.person.commands import RotateKey as RotateKey
    from .domain.rulebook.commands import CorrectAnchor as CorrectAnchor
    from .domain.rulebook.commands import EnactEdition as EnactEdition
    from .domain.rulebook.commands import RecordModelAlias as RecordModelAlias
    from .domain.streams import Unknown
    from .domain.system_record.commands import DeclaredModel
    from .domain.system_record.commands import DeclareSystem as DeclareSystem
    from .domain.system_record.commands import RecordConfigChange as RecordConfigChange
    from .domain.target.bid_commands import AnswerQuestion as AnswerQuestion
    from .domain.target.bid_commands import AskQuestion as AskQuestion
    from .domain.target.bid_commands import ChooseProposal as ChooseProposal
    from .domain.target.bid_commands import NameFinalist as NameFinalist
    from .domain.target.bid_commands import PlanStep
    from .domain.target.bid_commands import SubmitProposal as SubmitProposal
    from .domain.target.bid_commands import WithdrawProposal as WithdrawProposal
    from .domain.target.commands import AmendTarget as AmendTarget
    from .domain.target.commands import AssignBand as AssignBand
    from .domain.target.commands import BuyPriority as BuyPriority
    from .domain.target.commands import CloseTarget as CloseTarget
    from .domain.target.commands import DeclineWant as DeclineWant
    from .domain.target.commands import GiveTerms as GiveTerms
    from .domain.target.commands import PassReview as PassReview
    from .domain.target.commands import PostTarget as PostTarget
    from .domain.target.commands import RecordIntake as RecordIntake
    from .domain.target.commands import RefineTarget as RefineTarget
    from .domain.target.commands import RepostTarget as RepostTarget
    from .domain.target.commands import WithdrawTarget as WithdrawTarget
    from .protocol.envelope import Event
    from .protocol.refusal import Problem, Refused

__version__ = "0.1.0"
__all__ = [
    "Actor",
    "Bench",
    "DeclaredModel",
    "Done",
    "Event",
    "PlanStep",
    "Problem",
    "Refused",
    "Spend",
    "Step",
    "StoreError",
    "Unknown",
    "__version__",
]

_HOMES = {
    "Actor": ".domain.commands",
    "Bench": ".adapters.bench",
    "DeclaredModel": ".domain.system_record.commands",
    "Done": ".adapters.bench",
    "Event": ".protocol.envelope",
    "PlanStep": ".domain.target.bid_commands",
    "Problem": ".protocol.refusal",
    "Refused": ".protocol.refusal",
    "Spend": ".domain.deal.commands",
    "Step": ".domain.deal.commands",
    "StoreError": ".adapters.store.errors",
    "Unknown": ".domain.streams",
}


def __getattr__(name: str) -> Any:
    """Resolve a public name at first use and keep it, so that later uses cost a plain lookup."""
    home = _HOMES.get(name)
    value = getattr(import_module(home, __name__), name) if home else _command(name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES, *_commands()})


def _command(name: str) -> Any:
    # Only names in the style of classes are looked up: tools probe modules for all sorts of lower-case names.
    if name[:1].isupper() and name in (commands := _commands()):
        return commands[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _commands() -> Any:
    import_module(".domain.protocol", __name__)
    return import_module(".domain.commands", __name__).commands()
