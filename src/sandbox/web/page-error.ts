/** An error whose message may be shown on the page, which has its own texts for some of the codes. */
export class PageError extends Error {
  readonly statusCode: number
  readonly code: string

  constructor(statusCode: number, code: string, message: string) {
    super(message)
    this.statusCode = statusCode
    this.code = code
  }
}
