// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IdentityRegistry} from "./IdentityRegistry.sol";

/**
 * @title A reputation registry with the interface and rules of ERC-8004, for local chains
 * @notice Written for this project; the published registries have sources of their own.
 */
contract ReputationRegistry {
    struct Feedback {
        int128 value;
        uint8 valueDecimals;
        bool isRevoked;
        string tag1;
        string tag2;
    }

    /// @dev One match of a search: the client, the index of its feedback, and the feedback.
    struct Match {
        address client;
        uint64 index;
        Feedback feedback;
    }

    int128 private constant LARGEST_VALUE = 1e38;
    uint8 private constant MOST_DECIMALS = 18;

    IdentityRegistry private immutable IDENTITIES;
    mapping(uint256 agentId => address[]) private clients;
    /// @dev Feedback of a client about an agent; index 1 is its first element.
    mapping(uint256 agentId => mapping(address client => Feedback[])) private given;
    mapping(bytes32 feedbackKey => address[]) private responders;

    event FeedbackRevoked(
        uint256 indexed agentId,
        address indexed clientAddress,
        uint64 indexed feedbackIndex
    );
    event NewFeedback(
        uint256 indexed agentId,
        address indexed clientAddress,
        uint64 feedbackIndex,
        int128 value,
        uint8 valueDecimals,
        string indexed indexedTag1,
        string tag1,
        string tag2,
        string endpoint,
        string feedbackURI,
        bytes32 feedbackHash
    );
    event ResponseAppended(
        uint256 indexed agentId,
        address indexed clientAddress,
        uint64 feedbackIndex,
        address indexed responder,
        string responseURI,
        bytes32 responseHash
    );

    constructor(IdentityRegistry identities) {
        IDENTITIES = identities;
    }

    function getIdentityRegistry() external view returns (address) {
        return address(IDENTITIES);
    }

    /// @notice Gives feedback as any account but the agent's owner and operators.
    function giveFeedback(
        uint256 agentId,
        int128 value,
        uint8 valueDecimals,
        string calldata tag1,
        string calldata tag2,
        string calldata endpoint,
        string calldata feedbackURI,
        bytes32 feedbackHash
    ) external {
        require(valueDecimals <= MOST_DECIMALS, "too many decimals");
        require(value >= -LARGEST_VALUE && value <= LARGEST_VALUE, "value too large");
        require(!IDENTITIES.isAuthorizedOrOwner(msg.sender, agentId), "self-feedback not allowed");
        Feedback[] storage own = given[agentId][msg.sender];
        if (own.length == 0) clients[agentId].push(msg.sender);
        own.push(Feedback(value, valueDecimals, false, tag1, tag2));
        emit NewFeedback(
            agentId,
            msg.sender,
            uint64(own.length),
            value,
            valueDecimals,
            tag1,
            tag1,
            tag2,
            endpoint,
            feedbackURI,
            feedbackHash
        );
    }

    function revokeFeedback(uint256 agentId, uint64 feedbackIndex) external {
        Feedback storage feedback = _get(agentId, msg.sender, feedbackIndex);
        require(!feedback.isRevoked, "already revoked");
        feedback.isRevoked = true;
        emit FeedbackRevoked(agentId, msg.sender, feedbackIndex);
    }

    function appendResponse(
        uint256 agentId,
        address clientAddress,
        uint64 feedbackIndex,
        string calldata responseURI,
        bytes32 responseHash
    ) external {
        _get(agentId, clientAddress, feedbackIndex);
        responders[keccak256(abi.encode(agentId, clientAddress, feedbackIndex))].push(msg.sender);
        emit ResponseAppended(
            agentId,
            clientAddress,
            feedbackIndex,
            msg.sender,
            responseURI,
            responseHash
        );
    }

    function getClients(uint256 agentId) external view returns (address[] memory) {
        return clients[agentId];
    }

    /// @notice Returns the index of the client's latest feedback about the agent; 0 if there is none.
    function getLastIndex(uint256 agentId, address clientAddress) external view returns (uint64) {
        return uint64(given[agentId][clientAddress].length);
    }

    /// @notice Counts responses to one feedback, of `from` only unless it is empty.
    function getResponseCount(
        uint256 agentId,
        address clientAddress,
        uint64 feedbackIndex,
        address[] calldata from
    ) external view returns (uint64 count) {
        address[] storage all = responders[keccak256(abi.encode(agentId, clientAddress, feedbackIndex))];
        for (uint256 i = 0; i < all.length; i++) {
            bool counts = from.length == 0;
            for (uint256 j = 0; j < from.length && !counts; j++) counts = from[j] == all[i];
            if (counts) count++;
        }
    }

    function readFeedback(
        uint256 agentId,
        address clientAddress,
        uint64 feedbackIndex
    )
        external
        view
        returns (int128 value, uint8 valueDecimals, string memory tag1, string memory tag2, bool isRevoked)
    {
        Feedback storage found = _get(agentId, clientAddress, feedbackIndex);
        return (found.value, found.valueDecimals, found.tag1, found.tag2, found.isRevoked);
    }

    /// @notice Averages feedback that is not revoked. An empty tag matches all.
    function getSummary(
        uint256 agentId,
        address[] calldata clientAddresses,
        string calldata tag1,
        string calldata tag2
    ) external view returns (uint64 count, int128 summaryValue, uint8 summaryValueDecimals) {
        require(clientAddresses.length > 0, "clientAddresses required");
        Match[] memory found = _find(agentId, clientAddresses, tag1, tag2, false);
        count = uint64(found.length);
        if (count == 0) return (0, 0, 0);
        for (uint256 i = 0; i < count; i++) {
            uint8 decimals = found[i].feedback.valueDecimals;
            if (decimals > summaryValueDecimals) summaryValueDecimals = decimals;
        }
        int256 sum;
        for (uint256 i = 0; i < count; i++) {
            uint8 missing = summaryValueDecimals - found[i].feedback.valueDecimals;
            sum += int256(found[i].feedback.value) * int256(10 ** missing);
        }
        summaryValue = int128(sum / int256(uint256(count)));
    }

    /// @notice Returns feedback of `clientAddresses`, or of all clients if there are none.
    function readAllFeedback(
        uint256 agentId,
        address[] calldata clientAddresses,
        string calldata tag1,
        string calldata tag2,
        bool includeRevoked
    )
        external
        view
        returns (
            address[] memory foundClients,
            uint64[] memory feedbackIndexes,
            int128[] memory values,
            uint8[] memory valueDecimals,
            string[] memory tag1s,
            string[] memory tag2s,
            bool[] memory revokedStatuses
        )
    {
        address[] memory from = clientAddresses;
        if (from.length == 0) from = clients[agentId];
        Match[] memory found = _find(agentId, from, tag1, tag2, includeRevoked);
        foundClients = new address[](found.length);
        feedbackIndexes = new uint64[](found.length);
        values = new int128[](found.length);
        valueDecimals = new uint8[](found.length);
        tag1s = new string[](found.length);
        tag2s = new string[](found.length);
        revokedStatuses = new bool[](found.length);
        for (uint256 i = 0; i < found.length; i++) {
            Feedback memory feedback = found[i].feedback;
            (foundClients[i], feedbackIndexes[i]) = (found[i].client, found[i].index);
            (values[i], valueDecimals[i]) = (feedback.value, feedback.valueDecimals);
            (tag1s[i], tag2s[i], revokedStatuses[i]) = (feedback.tag1, feedback.tag2, feedback.isRevoked);
        }
    }

    function _find(
        uint256 agentId,
        address[] memory from,
        string memory tag1,
        string memory tag2,
        bool includeRevoked
    ) private view returns (Match[] memory found) {
        uint256 most;
        for (uint256 i = 0; i < from.length; i++) most += given[agentId][from[i]].length;
        found = new Match[](most);
        uint256 count;
        for (uint256 i = 0; i < from.length; i++) {
            Feedback[] storage own = given[agentId][from[i]];
            for (uint256 j = 0; j < own.length; j++) {
                if (own[j].isRevoked && !includeRevoked) continue;
                if (!_matches(tag1, own[j].tag1) || !_matches(tag2, own[j].tag2)) continue;
                found[count++] = Match(from[i], uint64(j + 1), own[j]);
            }
        }
        assembly {
            mstore(found, count)
        }
    }

    function _matches(string memory tag, string memory of_) private pure returns (bool) {
        return bytes(tag).length == 0 || keccak256(bytes(tag)) == keccak256(bytes(of_));
    }

    function _get(
        uint256 agentId,
        address clientAddress,
        uint64 feedbackIndex
    ) private view returns (Feedback storage) {
        Feedback[] storage all = given[agentId][clientAddress];
        require(feedbackIndex > 0 && feedbackIndex <= all.length, "no such feedback");
        return all[feedbackIndex - 1];
    }
}
