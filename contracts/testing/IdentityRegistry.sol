// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/**
 * @title An identity registry with the interface and rules of ERC-8004, for local chains
 * @notice Written for this project; the published registries have sources of their own.
 */
contract IdentityRegistry is ERC721, EIP712 {
    struct MetadataEntry {
        string metadataKey;
        bytes metadataValue;
    }

    string private constant WALLET_KEY = "agentWallet";
    uint256 private constant LONGEST_DEADLINE = 5 minutes;
    bytes32 private constant WALLET_TYPEHASH =
        keccak256("AgentWalletSet(uint256 agentId,address newWallet,address owner,uint256 deadline)");

    uint256 private nextId;
    mapping(uint256 agentId => string) private uris;
    mapping(uint256 agentId => mapping(string key => bytes)) private metadata;

    event MetadataSet(
        uint256 indexed agentId,
        string indexed indexedMetadataKey,
        string metadataKey,
        bytes metadataValue
    );
    event Registered(uint256 indexed agentId, string agentURI, address indexed owner);
    event URIUpdated(uint256 indexed agentId, string newURI, address indexed updatedBy);

    constructor() ERC721("AgentIdentity", "AGENT") EIP712("ERC8004IdentityRegistry", "1") {}

    modifier onlyAuthorized(uint256 agentId) {
        require(isAuthorizedOrOwner(msg.sender, agentId), "not authorized");
        _;
    }

    function register() external returns (uint256) {
        return _register("");
    }

    function register(string calldata agentURI) external returns (uint256) {
        return _register(agentURI);
    }

    function register(
        string calldata agentURI,
        MetadataEntry[] calldata entries
    ) external returns (uint256 agentId) {
        agentId = _register(agentURI);
        for (uint256 i = 0; i < entries.length; i++) {
            _setPublicMetadata(agentId, entries[i].metadataKey, entries[i].metadataValue);
        }
    }

    function setAgentURI(uint256 agentId, string calldata newURI) external onlyAuthorized(agentId) {
        uris[agentId] = newURI;
        emit URIUpdated(agentId, newURI, msg.sender);
    }

    function setMetadata(
        uint256 agentId,
        string calldata metadataKey,
        bytes calldata metadataValue
    ) external onlyAuthorized(agentId) {
        _setPublicMetadata(agentId, metadataKey, metadataValue);
    }

    /// @notice Sets the agent's wallet, which must have signed this (EIP-712, or ERC-1271).
    function setAgentWallet(
        uint256 agentId,
        address newWallet,
        uint256 deadline,
        bytes calldata signature
    ) external onlyAuthorized(agentId) {
        require(newWallet != address(0), "bad wallet");
        require(block.timestamp <= deadline, "expired");
        require(deadline <= block.timestamp + LONGEST_DEADLINE, "deadline too far");
        bytes32 digest = _hashTypedDataV4(
            keccak256(abi.encode(WALLET_TYPEHASH, agentId, newWallet, ownerOf(agentId), deadline))
        );
        require(SignatureChecker.isValidSignatureNow(newWallet, digest, signature), "invalid signature");
        _setMetadata(agentId, WALLET_KEY, abi.encodePacked(newWallet));
    }

    function unsetAgentWallet(uint256 agentId) external onlyAuthorized(agentId) {
        _setMetadata(agentId, WALLET_KEY, "");
    }

    function getAgentWallet(uint256 agentId) external view returns (address) {
        return address(bytes20(metadata[agentId][WALLET_KEY]));
    }

    function getMetadata(uint256 agentId, string calldata metadataKey) external view returns (bytes memory) {
        return metadata[agentId][metadataKey];
    }

    function tokenURI(uint256 agentId) public view override returns (string memory) {
        _requireOwned(agentId);
        return uris[agentId];
    }

    /// @notice Reverts if the agent is not registered.
    function isAuthorizedOrOwner(address spender, uint256 agentId) public view returns (bool) {
        return _isAuthorized(ownerOf(agentId), spender, agentId);
    }

    function _register(string memory agentURI) private returns (uint256 agentId) {
        agentId = nextId++;
        _safeMint(msg.sender, agentId);
        uris[agentId] = agentURI;
        emit Registered(agentId, agentURI, msg.sender);
        _setMetadata(agentId, WALLET_KEY, abi.encodePacked(msg.sender));
    }

    function _setPublicMetadata(uint256 agentId, string memory key, bytes memory value) private {
        require(keccak256(bytes(key)) != keccak256(bytes(WALLET_KEY)), "reserved key");
        _setMetadata(agentId, key, value);
    }

    function _setMetadata(uint256 agentId, string memory key, bytes memory value) private {
        metadata[agentId][key] = value;
        emit MetadataSet(agentId, key, key, value);
    }

    /// @dev A transfer clears the wallet, which acted for the previous owner.
    function _update(address to, uint256 agentId, address auth) internal override returns (address from) {
        from = super._update(to, agentId, auth);
        if (from != address(0)) _setMetadata(agentId, WALLET_KEY, "");
    }
}
