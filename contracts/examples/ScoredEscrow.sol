// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ScoreGate, ScoreGated, ScoreStatement} from "../ScoreGate.sol";

/// @title Example: an escrow whose jobs only agents with a sufficient score can take
contract ScoredEscrow is ScoreGated {
    using SafeERC20 for IERC20;

    struct Job {
        address client;
        address contractor;
        uint256 amount;
        uint32 minimumCenti;
        uint64 deadline;
    }

    IERC20 public immutable usdc;
    mapping(uint256 jobId => Job) public jobs;
    uint256 public jobCount;

    error NotOpen(uint256 jobId);
    error NotClient(uint256 jobId);
    error NotRefundable(uint256 jobId);

    constructor(ScoreGate gate, IERC20 usdc_) ScoreGated(gate) {
        usdc = usdc_;
    }

    /// @notice The client deposits `amount` for a contractor with a score of at least `minimumCenti`.
    function post(
        uint256 amount,
        uint32 minimumCenti,
        uint64 deadline
    ) external returns (uint256 jobId) {
        jobId = ++jobCount;
        jobs[jobId] = Job(msg.sender, address(0), amount, minimumCenti, deadline);
        usdc.safeTransferFrom(msg.sender, address(this), amount);
    }

    /// @notice A contractor takes the job with its own statement, before the deadline: later, it could
    /// prevent the client's refund.
    function accept(
        uint256 jobId,
        ScoreStatement calldata statement,
        bytes calldata signature
    ) external onlyScored(statement, signature, jobs[jobId].minimumCenti) {
        Job storage job = jobs[jobId];
        if (job.client == address(0) || job.contractor != address(0)) revert NotOpen(jobId);
        if (block.timestamp >= job.deadline) revert NotOpen(jobId);
        job.contractor = msg.sender;
    }

    /// @notice The client pays the contractor.
    function release(uint256 jobId) external {
        Job memory job = jobs[jobId];
        if (msg.sender != job.client) revert NotClient(jobId);
        if (job.contractor == address(0)) revert NotOpen(jobId);
        delete jobs[jobId];
        usdc.safeTransfer(job.contractor, job.amount);
    }

    /// @notice The client takes the deposit back if the deadline passed and no contractor has accepted.
    function refund(uint256 jobId) external {
        Job memory job = jobs[jobId];
        if (msg.sender != job.client) revert NotClient(jobId);
        if (job.contractor != address(0) || block.timestamp < job.deadline) {
            revert NotRefundable(jobId);
        }
        delete jobs[jobId];
        usdc.safeTransfer(job.client, job.amount);
    }
}
