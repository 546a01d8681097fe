/** What is wrong with something that was typed or sent. */
export const input = {
  tooShort: (minimum: number) => `At least ${minimum} characters, please.`,
  tooLong: (maximum: number) => `At most ${maximum} characters, please.`,
  tooMany: (maximum: number) => `At most ${maximum} at a time.`,
  wrong: 'This is not valid.',
  /** In a dialogue only an agent pays, for its sub-users. */
  ownShort: (sum: string) => `Your own balance is short by ${sum}. Top it up first: /topup`,
  /** By the names that the core gives them. */
  rules: {
    invisible_characters: 'No spaces and no invisible characters, please.',
    mixed_scripts: 'Please do not mix letters of different alphabets.',
    letters_digits_underscore_hyphen: 'Only letters, digits, _ and - are possible.',
    username_taken: 'This username is taken.',
    named_twice: 'This username is in the list twice.',
    not_an_email_address: 'This is not an e-mail address.',
    not_a_phone_number: 'A phone number has 11 digits.',
    not_an_amount: 'This is not an amount. Write it like 25 or 12.50, with at most 6 decimals.',
    balance_too_large: 'No balance can be that large.',
    misplaced_quotation_mark: 'A quotation mark is not closed, or not at the end.',
    unknown_column: 'The header has an unknown column.',
    too_many_columns: 'There are too many columns.',
  },
  textOrFile: 'Please send it as a text message or as a .csv or .txt file.',
  files: {
    tooBig: 'The file is too big: at most 256 KB.',
    notUtf8: 'The file is not in UTF-8. Please save it as “CSV UTF-8” and send it again.',
    notDownloaded: 'The file did not arrive. Please send it again.',
  },
  /** The toast of a button whose question was answered before. */
  answered: 'This was answered already.',
}
