// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/**
 * @title An escrow of jobs with the interface and rules of ERC-8183, for local chains
 * @notice Written for this project; the reference implementation has sources of its own. Hooks can be
 * named but are not called, and anyone sets the fees.
 */
contract AgenticCommerce {
    using SafeERC20 for IERC20;

    enum Status {
        Open,
        Funded,
        Submitted,
        Completed,
        Rejected,
        Expired
    }

    struct Job {
        uint256 id;
        address client;
        address provider;
        address evaluator;
        string description;
        uint256 budget;
        uint256 expiredAt;
        Status status;
        address hook;
        address paymentToken;
        uint256 providerAgentId;
        uint256 submittedAt;
    }

    address private constant TREASURY = address(0xFEE);
    uint256 private constant SHORTEST_LIFE = 5 minutes;
    uint256 private constant EVALUATION_TIME = 1 hours;

    uint256 public evaluatorFeeBP;
    uint256 public platformFeeBP;
    uint256 public jobCounter;
    mapping(uint256 jobId => Job) private jobs;

    event JobCreated(
        uint256 indexed jobId,
        address indexed client,
        address indexed provider,
        address evaluator,
        uint256 expiredAt,
        address hook
    );
    event ProviderSet(uint256 indexed jobId, address indexed provider, uint256 agentId);
    event BudgetSet(uint256 indexed jobId, address indexed token, uint256 amount);
    event JobFunded(uint256 indexed jobId, address indexed client, uint256 amount);
    event JobSubmitted(uint256 indexed jobId, address indexed provider, bytes32 deliverable);
    event JobCompleted(uint256 indexed jobId, address indexed evaluator, bytes32 reason);
    event JobRejected(uint256 indexed jobId, address indexed rejector, bytes32 reason);
    event JobExpired(uint256 indexed jobId);
    event PaymentReleased(uint256 indexed jobId, address indexed provider, uint256 amount);
    event EvaluatorFeePaid(uint256 indexed jobId, address indexed evaluator, uint256 amount);
    event Refunded(uint256 indexed jobId, address indexed client, uint256 amount);

    error Unauthorized();
    error WrongStatus();
    error WrongArgument();

    function setFees(uint256 evaluatorFee, uint256 platformFee) external {
        (evaluatorFeeBP, platformFeeBP) = (evaluatorFee, platformFee);
    }

    function createJob(
        address provider,
        address evaluator,
        uint256 expiredAt,
        string calldata description,
        address hook,
        uint256 providerAgentId
    ) external returns (uint256 jobId) {
        require(expiredAt > block.timestamp + SHORTEST_LIFE, WrongArgument());
        require(evaluator != address(0) && evaluator != provider, WrongArgument());
        jobId = ++jobCounter;
        Job storage job = jobs[jobId];
        job.id = jobId;
        job.client = msg.sender;
        job.provider = provider;
        job.evaluator = evaluator;
        job.description = description;
        job.expiredAt = expiredAt;
        job.hook = hook;
        job.providerAgentId = providerAgentId;
        emit JobCreated(jobId, msg.sender, provider, evaluator, expiredAt, hook);
    }

    function setProvider(uint256 jobId, address provider, uint256 agentId) external {
        Job storage job = jobs[jobId];
        require(msg.sender == job.client, Unauthorized());
        require(job.status == Status.Open && job.provider == address(0), WrongStatus());
        require(provider != address(0) && provider != job.evaluator, WrongArgument());
        (job.provider, job.providerAgentId) = (provider, agentId);
        emit ProviderSet(jobId, provider, agentId);
    }

    function setBudget(uint256 jobId, address token, uint256 amount, bytes calldata) external {
        Job storage job = jobs[jobId];
        require(msg.sender == job.client || msg.sender == job.provider, Unauthorized());
        require(job.status == Status.Open, WrongStatus());
        (job.paymentToken, job.budget) = (token, amount);
        emit BudgetSet(jobId, token, amount);
    }

    function fund(uint256 jobId, uint256 expectedBudget, bytes calldata) external {
        Job storage job = jobs[jobId];
        require(msg.sender == job.client, Unauthorized());
        require(job.status == Status.Open, WrongStatus());
        require(job.provider != address(0) && job.budget > 0, WrongArgument());
        require(job.budget == expectedBudget, WrongArgument());
        job.status = Status.Funded;
        IERC20(job.paymentToken).safeTransferFrom(msg.sender, address(this), job.budget);
        emit JobFunded(jobId, msg.sender, job.budget);
    }

    function submit(uint256 jobId, bytes32 deliverable, bytes calldata) external {
        Job storage job = jobs[jobId];
        require(msg.sender == job.provider, Unauthorized());
        bool isFree = job.status == Status.Open && job.budget == 0;
        require(job.status == Status.Funded || isFree, WrongStatus());
        job.status = Status.Submitted;
        job.submittedAt = block.timestamp;
        emit JobSubmitted(jobId, msg.sender, deliverable);
    }

    function complete(uint256 jobId, bytes32 reason, bytes calldata) external {
        Job storage job = jobs[jobId];
        require(msg.sender == job.evaluator, Unauthorized());
        require(job.status == Status.Submitted, WrongStatus());
        job.status = Status.Completed;
        uint256 platformFee = (job.budget * platformFeeBP) / 10_000;
        uint256 evaluatorFee = (job.budget * evaluatorFeeBP) / 10_000;
        uint256 net = job.budget - platformFee - evaluatorFee;
        _pay(job, TREASURY, platformFee);
        _pay(job, job.evaluator, evaluatorFee);
        _pay(job, job.provider, net);
        emit JobCompleted(jobId, job.evaluator, reason);
        if (evaluatorFee > 0) emit EvaluatorFeePaid(jobId, job.evaluator, evaluatorFee);
        emit PaymentReleased(jobId, job.provider, net);
    }

    function reject(uint256 jobId, bytes32 reason, bytes calldata) external {
        Job storage job = jobs[jobId];
        if (job.status == Status.Open) {
            require(msg.sender == job.client, Unauthorized());
            job.status = Status.Rejected;
            emit JobRejected(jobId, msg.sender, reason);
            return;
        }
        require(job.status == Status.Funded || job.status == Status.Submitted, WrongStatus());
        require(msg.sender == job.evaluator, Unauthorized());
        job.status = Status.Rejected;
        emit JobRejected(jobId, msg.sender, reason);
        _refund(job);
    }

    function claimRefund(uint256 jobId) external {
        Job storage job = jobs[jobId];
        require(job.status == Status.Funded || job.status == Status.Submitted, WrongStatus());
        require(block.timestamp >= job.expiredAt, WrongStatus());
        bool isEvaluated = job.status == Status.Submitted;
        require(!isEvaluated || block.timestamp >= job.submittedAt + EVALUATION_TIME, WrongStatus());
        job.status = Status.Expired;
        emit JobExpired(jobId);
        _refund(job);
    }

    function getJob(uint256 jobId) external view returns (Job memory) {
        return jobs[jobId];
    }

    function _refund(Job storage job) private {
        _pay(job, job.client, job.budget);
        emit Refunded(job.id, job.client, job.budget);
    }

    function _pay(Job storage job, address to, uint256 amount) private {
        if (amount > 0) IERC20(job.paymentToken).safeTransfer(to, amount);
    }
}
