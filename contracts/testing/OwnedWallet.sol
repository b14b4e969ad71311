// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/**
 * @title A contract wallet for tests: its owner's signatures are its own (ERC-1271)
 * @notice It holds USDC and pays with signed EIP-3009 transfers.
 */
contract OwnedWallet {
    address private immutable OWNER;

    constructor(address owner) {
        OWNER = owner;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        require(signature.length == 65, "not a signature");
        (bytes32 r, bytes32 s) = (bytes32(signature[0:32]), bytes32(signature[32:64]));
        address signer = ecrecover(hash, uint8(signature[64]), r, s);
        return signer != address(0) && signer == OWNER ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
    }
}
