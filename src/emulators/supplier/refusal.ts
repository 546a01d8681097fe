/**
 * A refusal of the platform: an answer with a code other than 200. The codes and texts are inventions; those of the platform are not
 * documented.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

export const badRequest = (message: string) => new Refusal(400, message)
export const noAccess = (message: string) => new Refusal(401, message)
export const impossible = (message: string) => new Refusal(500, message)
