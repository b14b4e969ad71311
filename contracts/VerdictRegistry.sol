// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";

/**
 * @title The public ledger that scores are computed from
 * @notice Every record is one event with a `seq`, counted from 1 without gaps across all kinds.
 * One `eth_getLogs` of this contract returns the whole ledger. Amounts are millionths of a USDC,
 * times are unix seconds, confidences are millionths, ids are the sixteen bytes of a UUID.
 *
 * Nothing can be recorded twice, changed or removed. `head` is a hash chain over all records:
 *
 *   head(0) = 0
 *   head(n) = keccak256(head(n - 1) . topics of log n . data of log n)
 *
 * `.` concatenates bytes. The topics are all topics of that log in order: the event's selector, then
 * its indexed fields, 32 bytes each. Log n is the log whose `seq` is n. A reader who computes this over
 * all logs and gets `head` has every record, unchanged and in order.
 */
contract VerdictRegistry is Ownable2Step {
    /// @dev `flags`: bit 0 is set if the requester submitted the outcome (else the contractor), bit 1 if
    /// the submitter had proven its wallet, bit 2 if the verdict is SUCCESS (else FAILURE), bit 3 if both
    /// parties had signed the terms before.
    /// `category`: index in code-review, data-analysis, research, content, infra, finance,
    /// trading, legal, ops, from 0. `policy`: 4 is "qc-4".
    struct Verdict {
        bytes16 outcomeId;
        address contractor;
        address requester;
        uint8 category;
        uint8 flags;
        uint16 policy;
        uint32 confPpm;
        uint64 valueMicro;
        uint64 paidMicro;
        uint64 resolvedAt;
        bytes32 evidenceHash;
    }

    /// @dev Sequence numbers of the records of one outcome, 0 if none.
    struct Recorded {
        uint64 outcome;
        uint64 dispute;
        uint64 refund;
        uint64 superseded;
    }

    enum AnchorState {
        None,
        Active,
        Revoked
    }

    event OutcomeRecorded(
        bytes16 indexed outcomeId,
        address indexed contractor,
        address indexed requester,
        uint64 seq,
        uint8 category,
        uint8 flags,
        uint16 policy,
        uint32 confPpm,
        uint64 valueMicro,
        uint64 paidMicro,
        uint64 resolvedAt,
        bytes32 evidenceHash
    );
    /// @dev `flags`: bit 0 is set if the contractor wins (else the requester), bit 1 if the work was
    /// assessed: the review examined it, or the contractor conceded its own success.
    event DisputeRecorded(
        bytes16 indexed outcomeId,
        uint64 seq,
        uint8 flags,
        uint64 resolvedAt,
        bytes32 evidenceHash
    );
    /// @dev The contractor returned the requester's payment in full, in the USDC transfer of
    /// transaction `paymentTx`. From then on the outcome doesn't count.
    event RefundRecorded(
        bytes16 indexed outcomeId,
        uint64 seq,
        uint64 refundedAt,
        bytes32 paymentTx
    );
    /// @dev The payer of the payment that the contractor of `outcomeId` had named submitted its own
    /// outcome `by` for it. From then on `outcomeId` doesn't count.
    event SupersededRecorded(bytes16 indexed outcomeId, bytes16 indexed by, uint64 seq);
    /// @dev The wallet is an anchor while `from <= t < until`; the largest `until` means no end.
    event AnchorRecorded(address indexed wallet, uint64 seq, uint64 from, uint64 until);
    event AnchorRevocationRecorded(uint64 indexed anchorSeq, uint64 seq);
    event TakeoverRecorded(address indexed wallet, uint64 seq, uint64 takenAt);
    event RecorderSet(address indexed account, bool allowed);

    error NotRecorder(address account);
    error AlreadyRecorded(uint64 seq);
    error OutcomeNotRecorded(bytes16 outcomeId);
    error AnchorNotStanding(uint64 anchorSeq);
    error Malformed();

    uint8 private constant CATEGORIES = 9;
    uint8 private constant FLAGS = 15;
    uint8 private constant DISPUTE_FLAGS = 3;
    uint32 private constant WHOLE_PPM = 1_000_000;

    /// @notice Hash chain over all records.
    bytes32 public head;
    /// @notice Number of records, which is the `seq` of the latest.
    uint64 public seq;
    mapping(address account => bool) public isRecorder;
    mapping(bytes16 outcomeId => Recorded) public recorded;
    mapping(uint64 anchorSeq => AnchorState) private anchors;
    /// @dev Maps the hash of an anchor's or takeover's content to its `seq`.
    mapping(bytes32 content => uint64) private contents;

    constructor(address owner, address recorder) Ownable(owner) {
        _setRecorder(recorder, true);
    }

    modifier onlyRecorder() {
        if (!isRecorder[msg.sender]) revert NotRecorder(msg.sender);
        _;
    }

    function setRecorder(address account, bool allowed) external onlyOwner {
        _setRecorder(account, allowed);
    }

    function record(Verdict calldata verdict) external onlyRecorder {
        (head, seq) = _record(verdict, head, seq);
    }

    /// @notice Records all verdicts in order, or none.
    function recordBatch(Verdict[] calldata verdicts) external onlyRecorder {
        // Head and count stay on the stack: storage is read and written once per batch.
        bytes32 tip = head;
        uint64 count = seq;
        for (uint256 i = 0; i < verdicts.length; ++i) {
            (tip, count) = _record(verdicts[i], tip, count);
        }
        head = tip;
        seq = count;
    }

    function recordDispute(
        bytes16 outcomeId,
        uint8 flags,
        uint64 resolvedAt,
        bytes32 evidenceHash
    ) external onlyRecorder {
        if (flags > DISPUTE_FLAGS) revert Malformed();
        Recorded storage known = recorded[outcomeId];
        if (known.outcome == 0) revert OutcomeNotRecorded(outcomeId);
        if (known.dispute != 0) revert AlreadyRecorded(known.dispute);
        uint64 next = ++seq;
        known.dispute = next;
        emit DisputeRecorded(outcomeId, next, flags, resolvedAt, evidenceHash);
        _extend(
            DisputeRecorded.selector,
            bytes32(outcomeId),
            abi.encode(next, flags, resolvedAt, evidenceHash)
        );
    }

    function recordRefund(
        bytes16 outcomeId,
        uint64 refundedAt,
        bytes32 paymentTx
    ) external onlyRecorder {
        Recorded storage known = recorded[outcomeId];
        if (known.outcome == 0) revert OutcomeNotRecorded(outcomeId);
        if (known.refund != 0) revert AlreadyRecorded(known.refund);
        uint64 next = ++seq;
        known.refund = next;
        emit RefundRecorded(outcomeId, next, refundedAt, paymentTx);
        _extend(
            RefundRecorded.selector,
            bytes32(outcomeId),
            abi.encode(next, refundedAt, paymentTx)
        );
    }

    function recordSuperseded(bytes16 outcomeId, bytes16 by) external onlyRecorder {
        Recorded storage known = recorded[outcomeId];
        if (known.outcome == 0) revert OutcomeNotRecorded(outcomeId);
        if (recorded[by].outcome == 0) revert OutcomeNotRecorded(by);
        if (outcomeId == by) revert Malformed();
        if (known.superseded != 0) revert AlreadyRecorded(known.superseded);
        uint64 next = ++seq;
        known.superseded = next;
        emit SupersededRecorded(outcomeId, by, next);
        head = keccak256(
            abi.encode(head, SupersededRecorded.selector, outcomeId, by, next)
        );
    }

    function recordAnchor(address wallet, uint64 from, uint64 until) external onlyRecorder {
        if (from >= until) revert Malformed();
        uint64 next = ++seq;
        _once(keccak256(abi.encode(AnchorRecorded.selector, wallet, from, until)), next);
        anchors[next] = AnchorState.Active;
        emit AnchorRecorded(wallet, next, from, until);
        _extend(AnchorRecorded.selector, _topic(wallet), abi.encode(next, from, until));
    }

    function recordAnchorRevoked(uint64 anchorSeq) external onlyRecorder {
        if (anchors[anchorSeq] != AnchorState.Active) revert AnchorNotStanding(anchorSeq);
        anchors[anchorSeq] = AnchorState.Revoked;
        uint64 next = ++seq;
        emit AnchorRevocationRecorded(anchorSeq, next);
        _extend(
            AnchorRevocationRecorded.selector,
            bytes32(uint256(anchorSeq)),
            abi.encode(next)
        );
    }

    function recordTakeover(address wallet, uint64 takenAt) external onlyRecorder {
        uint64 next = ++seq;
        _once(keccak256(abi.encode(TakeoverRecorded.selector, wallet, takenAt)), next);
        emit TakeoverRecorded(wallet, next, takenAt);
        _extend(TakeoverRecorded.selector, _topic(wallet), abi.encode(next, takenAt));
    }

    function _record(
        Verdict calldata v,
        bytes32 tip,
        uint64 count
    ) private returns (bytes32, uint64) {
        if (v.category >= CATEGORIES || v.flags > FLAGS || v.confPpm > WHOLE_PPM) {
            revert Malformed();
        }
        Recorded storage known = recorded[v.outcomeId];
        if (known.outcome != 0) revert AlreadyRecorded(known.outcome);
        uint64 next = count + 1;
        known.outcome = next;
        emit OutcomeRecorded(
            v.outcomeId,
            v.contractor,
            v.requester,
            next,
            v.category,
            v.flags,
            v.policy,
            v.confPpm,
            v.valueMicro,
            v.paidMicro,
            v.resolvedAt,
            v.evidenceHash
        );
        // Topics and data are all static words, so this encoding equals their bytes.
        tip = keccak256(
            abi.encode(
                tip,
                OutcomeRecorded.selector,
                v.outcomeId,
                v.contractor,
                v.requester,
                next,
                v.category,
                v.flags,
                v.policy,
                v.confPpm,
                v.valueMicro,
                v.paidMicro,
                v.resolvedAt,
                v.evidenceHash
            )
        );
        return (tip, next);
    }

    function _extend(bytes32 selector, bytes32 topic, bytes memory data) private {
        head = keccak256(bytes.concat(head, selector, topic, data));
    }

    function _once(bytes32 content, uint64 next) private {
        if (contents[content] != 0) revert AlreadyRecorded(contents[content]);
        contents[content] = next;
    }

    function _topic(address account) private pure returns (bytes32) {
        return bytes32(uint256(uint160(account)));
    }

    function _setRecorder(address account, bool allowed) private {
        isRecorder[account] = allowed;
        emit RecorderSet(account, allowed);
    }
}
