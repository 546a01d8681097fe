import type { FastifyServerOptions } from 'fastify'

/** @throws Error for a route with a JSON Schema */
const noCompiler = () => () => {
  throw new Error('no JSON Schema is compiled here')
}

/** For servers that check inputs with zod: loading the compilers of JSON Schema would take a tenth of a start. */
export const NO_JSON_SCHEMA = {
  schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
} satisfies FastifyServerOptions
