import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { LANGUAGES } from '../src/core/languages.ts'
import { SHELL } from '../src/core/people/operator.ts'
import { ANN, BEN, startProduct } from './support/product.ts'

const SRC = fileURLToPath(new URL('../src/', import.meta.url))
/** The folders that hold the texts of a language each, or a file for each. */
const FOLDERS =
  /^(?:generated\/|(?:api|bot|mail)\/texts\/|core\/catalog\/cities\/|sandbox\/web\/page\/texts[./])/

/** Files that name a language all the same, and why. */
const NAMED: Readonly<Record<string, string>> = {
  'core/languages.ts': 'the list of languages',
  'bot/actions/records.ts': 'the code of a button',
  'api/variants.ts': 'rules 1.6: each variant has a language of its own',
  'suppliers/reseller-api/catalogue.ts': 'names are asked for in English',
  'suppliers/reseller-api/session.ts': 'texts are asked for in English',
  'core/catalog/country-code.ts': 'Intl, for no reader',
  'core/time-zone.ts': 'Intl, for no reader',
  'operator/product.ts': 'Intl: languages in the help of commands',
  'sandbox/web/page/message.js': 'Intl: how digits are written',
  'sandbox/web/page/supplier.js': 'Intl: how digits are written',
  'sandbox/web/page/wallet.js': 'Intl: how digits are written',
  'core/catalog/product-texts.ts': 'rules 3.1: the languages in which a product must have a name',
  'api/routes/dashboard.ts': 'names in an example',
  'api/wire/dynamic-order.ts': 'names in an example',
  'api/wire/product.ts': 'names in an example',
  'sandbox/demo-catalogue.ts': 'names of products for sale',
  'sandbox/demo-supply.ts': 'names of products for sale',
}

test('a language is named in its own folders only, and where a rule wants it', () => {
  const tag = `(?:${LANGUAGES.join('|')})`
  const literal = new RegExp(`'${tag}'|[{,(\\s]${tag}\\??:\\s|\\.${tag}\\b`)
  const naming = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
    (name) =>
      /\.[jt]s$/.test(name) && !FOLDERS.test(name) && literal.test(readFileSync(`${SRC}${name}`, 'utf8')),
  )
  expect(naming.toSorted()).toEqual(Object.keys(NAMED).toSorted())
})

test('a chat in a language that the service no longer has reads the fallback, and gets what is written to those', async () => {
  const product = await startProduct()
  const [ann, ben] = [await product.memberPhone(ANN), await product.memberPhone(BEN)]
  await product.edit("UPDATE chats SET language = 'tlh' WHERE id = ?", ann.chatId)
  ann.send('/menu')
  await ann.waitFor('Main menu')
  const draft = {
    chatId: 700,
    audience: 'all' as const,
    language: 'en' as const,
    text: 'News',
    entities: [],
    photo: null,
  }
  const { id } = await product.core.operator.broadcasts.draft(SHELL, draft)
  await product.core.operator.broadcasts.start(SHELL, { id })
  await ann.waitFor(/^News$/)
  expect(ben.screen().text).not.toContain('News')
  ann.send('/language')
  await ann.waitForButton('✓ English')
})
