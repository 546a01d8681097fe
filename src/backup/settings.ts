/** Where backups go. */
export interface BackupSettings {
  /** File of the database; on PostgreSQL one that does not exist, beside which the copy is worked on. */
  readonly database: string
  /** URL of the database, on PostgreSQL. */
  readonly postgres?: string | undefined
  readonly directory: string
  /** How many files stay in the folder and at S3. */
  readonly keep: number
  /** Passphrase that encrypts the backups; undefined: they stay readable, and go to the folder only. */
  readonly key: string | undefined
  readonly s3: S3Settings | undefined
  readonly chat: ChatSettings | undefined
}

export interface S3Settings {
  /** Address of the bucket, which is named by the host or the path. */
  readonly url: string
  readonly region: string
  readonly keyId: string
  readonly secret: string
  /** How long one request may take, in ms; reading a whole file is one. */
  readonly timeoutMs: number
}

export interface ChatSettings {
  readonly chatId: number
  readonly token: string
  /** Address of the Bot API, without a slash at the end. */
  readonly apiRoot: string
  /** The folder with the files of a Bot API server that runs with `--local`. */
  readonly files?: string | undefined
}
