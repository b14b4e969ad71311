// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// @dev A wallet's score, signed by the service. `scoreCenti` is the score in hundredths of a point.
/// `tier`: index in UNRANKED, NEWCOMER, TRUSTED, VERIFIED, ELITE, from 0. `outcomes`: number of its
/// outcomes as contractor. `policy`: hash of the score formula's numbers. `seq` and `head`: the state of
/// the registry that the score was computed from. `issuedAt`, `expiresAt`: unix seconds; the statement is
/// valid before `expiresAt`, and the score is that of the UTC day of `issuedAt`.
struct ScoreStatement {
    address wallet;
    uint32 scoreCenti;
    uint8 tier;
    uint32 outcomes;
    bytes32 policy;
    uint64 seq;
    bytes32 head;
    uint64 issuedAt;
    uint64 expiresAt;
}

/**
 * @title Verifies signed score statements about one registry
 * @notice Deployed once per registry by the operator, and called by any contract. This contract is the
 * `verifyingContract` of the statements' EIP-712 domain, so a statement is only valid on this chain and for
 * this registry. `signer` publishes whose signature counts.
 */
contract ScoreGate is EIP712 {
    bytes32 private constant STATEMENT_TYPEHASH =
        keccak256(
            "ScoreStatement(address wallet,uint32 scoreCenti,uint8 tier,uint32 outcomes,bytes32 policy,uint64 seq,bytes32 head,uint64 issuedAt,uint64 expiresAt)"
        );

    /// @notice The registry that scores are computed from. Its owner sets the signer.
    Ownable public immutable registry;
    /// @notice Account or ERC-1271 contract that signs statements. Zero: no statement is valid.
    address public signer;

    event SignerSet(address indexed signer);

    error NotRegistryOwner(address account);
    error StatementExpired(uint64 expiresAt);
    error ScoreTooLow(uint32 scoreCenti, uint32 minimumCenti);
    error InvalidStatementSignature();

    constructor(Ownable registry_, address signer_) EIP712("Standing", "1") {
        registry = registry_;
        _setSigner(signer_);
    }

    /// @notice Replaces the signer; every statement signed by the previous one is invalid at once.
    function setSigner(address signer_) external {
        if (msg.sender != registry.owner()) revert NotRegistryOwner(msg.sender);
        _setSigner(signer_);
    }

    /**
     * @notice Reverts unless the signer signed `statement`, it has not expired, and its score is at least
     * `minimumCenti`. The caller must check that `statement.wallet` is the wallet it deals with, because
     * any account can present any wallet's statement.
     */
    function requireScore(
        ScoreStatement calldata statement,
        bytes calldata signature,
        uint32 minimumCenti
    ) external view {
        if (block.timestamp >= statement.expiresAt) revert StatementExpired(statement.expiresAt);
        if (statement.scoreCenti < minimumCenti) {
            revert ScoreTooLow(statement.scoreCenti, minimumCenti);
        }
        bytes32 digest = _hashTypedDataV4(keccak256(abi.encode(STATEMENT_TYPEHASH, statement)));
        if (!SignatureChecker.isValidSignatureNowCalldata(signer, digest, signature)) {
            revert InvalidStatementSignature();
        }
    }

    function _setSigner(address signer_) private {
        signer = signer_;
        emit SignerSet(signer_);
    }
}

/// @title Base of contracts that admit only wallets with a sufficient score
abstract contract ScoreGated {
    ScoreGate public immutable scoreGate;

    error NotYourStatement(address wallet);

    constructor(ScoreGate scoreGate_) {
        scoreGate = scoreGate_;
    }

    /// @notice Reverts unless `statement` is valid, about the caller, and has at least `minimumCenti`.
    modifier onlyScored(
        ScoreStatement calldata statement,
        bytes calldata signature,
        uint32 minimumCenti
    ) {
        if (statement.wallet != msg.sender) revert NotYourStatement(statement.wallet);
        scoreGate.requireScore(statement, signature, minimumCenti);
        _;
    }
}
