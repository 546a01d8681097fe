import { readdirSync, readFileSync } from 'node:fs'
import { defineConfig } from 'oxlint'

const architecture = readFileSync(new URL('docs/architecture.md', import.meta.url), 'utf8')

/**
 * The floors of a folder, highest first, as docs/architecture.md draws them: a line for each, which begins with the names of its folders;
 * two spaces end them.
 *
 * @throws Error where the drawing is missing, or does not name each folder once
 */
function floorsOf(root) {
  const drawing = architecture.split(`\`\`\`text floors of ${root}\n`)[1]?.split('\n```')[0] ?? ''
  const floors = drawing.split('\n').map((line) => line.split(/ {2,}/)[0].split(' '))
  const folders = readdirSync(new URL(root, import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
  const drawn = floors.flat().toSorted().join(' ')
  const are = folders.toSorted().join(' ')
  if (drawn !== are) throw new Error(`docs/architecture.md draws of ${root}: ${drawn}; there are: ${are}`)
  return floors
}

/** Refuses imports in some files; of several overrides for a file the last one counts. */
function refuse(files, ...patterns) {
  return { files, rules: { 'no-restricted-imports': ['error', { patterns }] } }
}

/** An override for each folder of `root`: it imports from floors below its own only. */
function onFloors(root, ...patterns) {
  const floors = floorsOf(root)
  return floors.flatMap((names, index) =>
    names.map((name) => {
      const others = floors
        .slice(0, index + 1)
        .flat()
        .filter((other) => other !== name)
      return refuse(
        [`${root}/${name}/**`],
        ...patterns,
        ...(others.length === 0
          ? []
          : [
              {
                regex: `^(\\.\\./)+(${others.join('|')})/`,
                message: `A folder of ${root} stands on those of lower floors only: see docs/architecture.md.`,
              },
            ]),
      )
    }),
  )
}

/** Imports of folders and files beside the own one. */
function beside(names, message, up = '(\\.\\./)+') {
  return { regex: `^${up}(${names})`, message }
}

/**
 * All imports from `up`, but for some files. A regular expression that looks ahead would say it, too, but is ignored
 * without a word.
 */
function besideBut(up, files, message) {
  return { group: [`${up}**`, ...files.map((file) => `!${up}${file}`)], message }
}

const NO_DOORS = 'The doors do not know each other: app.ts puts them together.'
const NO_GATEWAY = '(\\.\\./){1,2}gateway/'
const ONLY_CORE = 'This folder knows the core only; app.ts hands in what it needs to know.'
const NO_DATABASE = {
  regex: '^((\\.\\./)+generated/|kysely$)',
  message: 'Only the core uses Prisma.',
}
const NO_SUPPLIERS = { regex: '^(\\.\\./)+suppliers/', message: 'Doors use the core.' }
const NO_APP = beside('app/|(app|main)\\.ts$', 'app.ts puts the doors together, not the other way round.')
const NO_CONFIG = beside('config\\.ts$', 'app.ts hands in what a door needs to know.')
const INSIDE = [NO_DATABASE, NO_SUPPLIERS, NO_APP, NO_CONFIG]

const AROUND_CORE =
  '(api|app|backup/|bot|checker|cli|config|emulators|gateway/|jobs|logger|mail|main|networks/|sandbox|suppliers)'
const OF_CORE = [
  {
    regex: '^(fastify|@fastify/|fastify-type-provider-zod|grammy|@grammyjs/|tronweb|commander|nodemailer)',
    message: 'The core knows no HTTP, no Telegram and no TRON client.',
  },
  {
    regex: '^better-sqlite3',
    allowTypeImports: true,
    message: 'database/driver.ts has it in the version for this Node.js.',
  },
  {
    regex: 'generated/kysely/',
    allowTypeImports: true,
    message: 'Types only: an installation without development packages does not have it.',
  },
  {
    regex: '^kysely$',
    importNames: ['sql'],
    message: 'SQL text stands in database/dialect.ts, in the spelling of each engine.',
  },
]
const NAMED = 'The core names what it needs as an interface; app.ts hands it in.'
/** Files of the core that put its parts together. */
const ASSEMBLY = ['core', 'job-handlers', 'notice-sweeps']

const EMULATOR = 'An emulator imitates what is outside, and knows nothing of the product.'
const GATEWAY =
  'The gateway is a process of its own: it shares the wire, the usernames of vendors, what is a country and what is a public address with the shop, and nothing else.'
const SHARED_WITH_GATEWAY = [
  'core/catalog/country-code.ts',
  'core/gateway/vendor-username.ts',
  'core/gateway/wire.ts',
  'core/operator-error.ts',
  'core/public-addresses.ts',
  'env-file.ts',
  'half-closed.ts',
  'logger.ts',
  'open-files.ts',
  'with-sources.ts',
]
const NO_FRAMEWORK = {
  regex: '^(fastify|@fastify/|grammy|@grammyjs/|tronweb|commander|nodemailer|kysely|better-sqlite3)',
  message: 'The gateway knows no database, no Telegram and no web framework.',
}

const OF_BOT = [
  beside('(api|jobs|cli|emulators|sandbox|mail)/', NO_DOORS),
  { regex: '^(\\.\\./){2,3}gateway/', message: NO_DOORS },
  ...INSIDE,
]

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'import', 'promise', 'oxc'],
  categories: { correctness: 'error', suspicious: 'error' },
  rules: {
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/await-thenable': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    'typescript/no-unsafe-type-assertion': 'off',
    'typescript/consistent-type-imports': 'error',
    'no-console': 'error',
    eqeqeq: 'error',
    'no-await-in-loop': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'no-shadow': 'off',
    'oxc/no-async-endpoint-handlers': 'off',
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'import/no-named-as-default-member': 'off',
    'no-underscore-dangle': 'off',
    'promise/no-callback-in-promise': 'off',
    'consistent-return': 'off',
  },
  ignorePatterns: [
    'dist',
    'src/generated',
    'node_modules',
    'test/fixtures',
    'test/generators/clients',
    'clients/typescript/src/generated',
  ],
  overrides: [
    {
      files: ['src/core/**', 'test/core/**', 'test/support/record-statements.ts'],
      rules: { 'typescript/unbound-method': 'off' },
    },
    refuse(['src/core/*.ts'], ...OF_CORE, beside(AROUND_CORE, NAMED, '\\.\\./'), {
      regex: '^\\./[a-z-]+/',
      message: 'What all parts of the core use knows none of them.',
    }),
    refuse(
      ASSEMBLY.map((name) => `src/core/${name}.ts`),
      ...OF_CORE,
      beside(AROUND_CORE, NAMED, '\\.\\./'),
    ),
    ...onFloors(
      'src/core',
      ...OF_CORE,
      beside(AROUND_CORE, NAMED, '\\.\\./\\.\\./'),
      beside(`(${ASSEMBLY.join('|')})\\.ts$`, 'No part of the core knows how parts are put together.'),
    ),
    refuse(['src/gateway/*.ts'], besideBut('../', SHARED_WITH_GATEWAY, GATEWAY), NO_FRAMEWORK),
    refuse(['src/gateway/*/**'], besideBut('../../', SHARED_WITH_GATEWAY, GATEWAY), NO_FRAMEWORK),
    refuse(
      ['src/suppliers/**'],
      beside(
        '(api|app|bot|cli|config|gateway/|jobs|emulators|logger|main|sandbox)',
        ONLY_CORE,
        '\\.\\./\\.\\./',
      ),
      NO_DATABASE,
    ),
    ...Object.entries({
      backup: 'mail|checker|networks|logger',
      mail: 'suppliers',
      checker: 'mail|networks|logger',
      webhooks: 'mail|checker|networks|logger',
    }).map(([folder, others]) =>
      refuse(
        [`src/${folder}/**`],
        beside(
          `(api|app|bot|cli|config|emulators|gateway/|jobs|main|sandbox|suppliers|generated|${others})`,
          ONLY_CORE,
          '\\.\\./',
        ),
      ),
    ),
    ...Object.entries({ '*.ts': '\\.\\./', '*/**': '\\.\\./\\.\\./' }).map(([files, up]) =>
      refuse(
        [`src/networks/${files}`],
        beside(
          '(api|app|bot|checker|cli|config|emulators|gateway/|jobs|logger|mail|main|sandbox|suppliers|generated)',
          ONLY_CORE,
          up,
        ),
      ),
    ),
    refuse(
      ['src/api/**'],
      beside('(bot|jobs|cli|emulators|sandbox|mail)/', NO_DOORS),
      { regex: `^${NO_GATEWAY}`, message: NO_DOORS },
      ...INSIDE,
    ),
    refuse(['src/bot/**'], ...OF_BOT),
    ...onFloors('src/bot', ...OF_BOT),
    ...onFloors('src/bot/topics', ...OF_BOT, beside('notices/', 'Notices call the topics that word them.')),
    refuse(['src/jobs/**'], beside('(api|bot|cli|emulators|gateway|sandbox|mail)/', NO_DOORS), ...INSIDE),
    refuse(
      ['src/operator/**'],
      {
        regex: '^(commander|fastify|@fastify/)',
        message: 'The command line and the API make of an action what it is there.',
      },
      beside('(api|bot|cli|emulators|gateway|jobs|sandbox|mail)/', ONLY_CORE, '\\.\\./'),
      ...INSIDE,
    ),
    refuse(
      ['src/cli/**'],
      beside('(api|bot|emulators|jobs|sandbox)/', NO_DOORS),
      { regex: `^${NO_GATEWAY}`, message: NO_DOORS },
      NO_DATABASE,
      NO_APP,
    ),
    refuse(['src/sandbox/**'], beside('(api|bot|jobs|cli|gateway)/', NO_DOORS), ...INSIDE),
    refuse(
      ['src/emulators/*/**'],
      besideBut('../../', ['core/clock.ts', 'core/database/driver.ts'], EMULATOR),
    ),
    refuse(['src/*.ts', 'src/app/**'], {
      group: ['**/emulators/**', '**/sandbox/**', '!**/sandbox/sandbox-chain.ts'],
      allowTypeImports: true,
      message: 'Loaded by import() where the sandbox runs, and never in production.',
    }),
    {
      files: ['test/**'],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            paths: [
              {
                name: 'node:child_process',
                importNames: ['spawn', 'fork', 'exec', 'execFile'],
                message: 'Use startChild of test/support/children.ts, which ends what it starts.',
              },
            ],
          },
        ],
      },
    },
    { files: ['test/support/tethered.ts'], rules: { 'no-restricted-imports': 'off' } },
    { files: ['src/cli/**', 'scripts/**', 'bench/**'], rules: { 'no-console': 'off' } },
  ],
})
