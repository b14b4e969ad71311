// What a payment needs of the wallet libraries, loaded together when a payment form opens.
export { PaymentError, payUsdc, waitForPayment } from "@/components/wallet/pay-usdc";
export { openWallets } from "@/components/wallet/wallet-config";
export { PayingWallet } from "./paying-wallet";
