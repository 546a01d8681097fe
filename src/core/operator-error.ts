/**
 * Something outside of the program that the operator has to change: a setting, a folder, another process. The message says
 * what, in plain words; doors print it alone, because a stack would add nothing.
 */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError'
}
