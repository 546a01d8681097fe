import { describe, expect, it } from 'vitest'
import { SHELL } from '../../../src/core/people/operator.ts'
import { usernameKey } from '../../../src/core/usernames.ts'
import { InvalidInput } from '../../../src/core/errors.ts'
import { openService, PASSWORD, refused } from '../../support/service.ts'

/** A service, and how it makes an account of a name. */
async function creator() {
  const { core } = await openService()
  return (username: string) => core.operator.createAgent(SHELL, { username, password: 'secret' })
}

describe('a username', () => {
  it('may have letters, digits and signs of any kind', async () => {
    const create = await creator()
    const names = ['abc', 'x'.repeat(50), '李雷雷', 'josé', 'a.b-c_d', "o'brien", '<b>&"', '%_%', '😀😀😀']
    for (const [index, username] of names.entries())
      expect(await create(username)).toEqual({ id: index + 1, username })
  })

  it('may be of one alphabet, or of those that are written together', async () => {
    const create = await creator()
    for (const username of [
      '李雷2026',
      'shop李雷',
      'さくらSAKURA桜',
      '김철수kim',
      'Ольга_1',
      'Ωμέγα',
      'محمد١',
      'नमस्ते',
      'a·b—c',
    ])
      expect((await create(username)).username).toBe(username.normalize('NFKC'))
  })

  it('is refused with letters of several alphabets', async () => {
    const create = await creator()
    for (const [title, username] of [
      ['a Cyrillic а in agent', '\u0430gent'],
      ['a Greek ο in google', 'g\u03bfogle'],
      ['Cyrillic and Han', 'Ольга李'],
      ['a Cherokee letter', 'A\u13a0gent'],
      ['Armenian in Latin', 'sh\u0585p'],
    ] as const)
      await expect(create(username), title).rejects.toMatchObject({ issues: [{ message: 'mixed_scripts' }] })
  })

  it('is kept in its NFKC form', async () => {
    const create = await creator()
    expect((await create('ｆｕｌｌ')).username).toBe('full')
    expect((await create('e\u0301va')).username).toBe('éva')
  })

  it('is refused with a wrong length, a space, or what nobody sees', async () => {
    const create = await creator()
    for (const [title, username] of [
      ['too short', 'ab'],
      ['too long', 'x'.repeat(51)],
      ['longer than it looks', '\u{FDFA}\u{FDFA}\u{FDFA}'],
      ['a space', 'a b c'],
      ['a trailing space', 'abc '],
      ['an ideographic space', 'abc\u3000'],
      ['a no-break space', 'a\u00a0bc'],
      ['a line break', 'abc\n'],
      ['a NUL', 'abc\0'],
      ['a zero-width space', 'ab\u200bc'],
      ['a zero-width joiner', 'ab\u200dc'],
      ['a byte order mark', '\ufeffabc'],
      ['a right-to-left override', 'abc\u202e'],
      ['a soft hyphen', 'ab\u00adc'],
      ['a variation selector', 'abc\ufe0f'],
      ['a Hangul filler', 'abc\u3164'],
      ['a combining grapheme joiner', 'ab\u034fc'],
      ['a Braille blank', 'abc\u2800'],
      ['a tag character', 'abc\u{e0061}'],
      ['a lone surrogate', 'abc\ud800'],
      ['a private character', 'abc\ue000'],
    ] as const)
      await expect(create(username), title).rejects.toBeInstanceOf(InvalidInput)
  })

  it.each([
    ['another case', 'Anna', 'aNNA'],
    ['full-width letters', 'anna', 'ＡＮＮＡ'],
    ['another composition', 'josé', 'JOSE\u0301'],
    ['a ligature', 'office', 'oﬃce'],
  ])('is taken also in %s', async (_title, first, second) => {
    const { core } = await openService()
    await core.operator.createAgent(SHELL, { username: first, password: 'secret' })
    await refused(
      core.operator.createAgent(SHELL, { username: second, password: 'secret' }),
      'username_taken',
    )
  })

  it('is taken for ever, deleted accounts included', async () => {
    const service = await openService()
    const agent = await service.agent({ name: 'gone' })
    await service.db.write((tx) =>
      tx.account.update({ where: { id: agent.id }, data: { status: 'deleted' } }),
    )
    await refused(
      service.core.operator.createAgent(SHELL, { username: 'Gone', password: 'secret' }),
      'username_taken',
    )
  })

  it('is taken by one of many who want it at once', async () => {
    const { core, db } = await openService()
    const attempts = await Promise.allSettled(
      ['twin', 'TWIN', 'Twin', 'ｔｗｉｎ'].map((username) =>
        core.operator.createAgent(SHELL, { username, password: 'secret' }),
      ),
    )
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await db.read.account.count()).toBe(1)
  })

  it('logs in in any spelling that is the same name', async () => {
    const service = await openService()
    const agent = await service.agent({ name: 'josé' })
    const { account } = await service.core.accounts.logIn({
      username: 'ＪOSE\u0301',
      password: PASSWORD,
      address: '192.0.2.1',
    })
    expect(account.id).toBe(agent.id)
    expect(usernameKey('ＪOSE\u0301')).toBe(usernameKey('josé'))
  })
})
