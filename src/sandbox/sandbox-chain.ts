/** How USDT is taken in the sandbox, in the names of the configuration; everything else is as configured. */
export const SANDBOX_CHAIN = {
  /** The shop's receiving address on the simulated chain. Nobody has its key: what is paid to it on the real one is lost. */
  USDT_WALLET: 'TSandboxWaLLetNeverPayToThisuhJ858',
  USDT_CONTRACT: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
} as const
