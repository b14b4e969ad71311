// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {OwnedWallet} from "./OwnedWallet.sol";

/// @title Deploys contract wallets at addresses that are known before (ERC-6492), for tests
contract WalletFactory {
    function deploy(address owner) external returns (address) {
        return address(new OwnedWallet{salt: 0}(owner));
    }
}
