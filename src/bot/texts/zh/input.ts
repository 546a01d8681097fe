import type { input as en } from '../en/input.ts'

export const input: typeof en = {
  tooShort: (minimum) => `至少需要 ${minimum} 个字符。`,
  tooLong: (maximum) => `最多 ${maximum} 个字符。`,
  tooMany: (maximum) => `一次最多 ${maximum} 个。`,
  wrong: '内容无效。',
  ownShort: (sum) => `您自己的余额不足，还差 ${sum}，请先充值：/topup`,
  rules: {
    invisible_characters: '不能包含空格或不可见字符。',
    mixed_scripts: '请勿混用不同文字的字母。',
    letters_digits_underscore_hyphen: '只能使用字母、数字、_ 和 -。',
    username_taken: '该用户名已被占用。',
    named_twice: '该用户名在列表中重复。',
    not_an_email_address: '邮箱地址格式不正确。',
    not_a_phone_number: '手机号必须是 11 位数字。',
    not_an_amount: '金额格式不正确，请按 25 或 12.50 的格式输入，最多 6 位小数。',
    balance_too_large: '余额超出上限。',
    misplaced_quotation_mark: '引号没有成对，或位置不对。',
    unknown_column: '表头中有无法识别的列。',
    too_many_columns: '列数过多。',
  },
  textOrFile: '请以文字消息发送，或发送 .csv、.txt 文件。',
  files: {
    tooBig: '文件过大，最大 256 KB。',
    notUtf8: '文件不是 UTF-8 编码，请另存为“CSV UTF-8”后重新发送。',
    notDownloaded: '文件没有收到，请重新发送。',
  },
  answered: '这一步已经完成了。',
}
