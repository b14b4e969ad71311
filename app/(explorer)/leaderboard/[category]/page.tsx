export { default, generateMetadata } from "@/app/(explorer)/leaderboard/page";
