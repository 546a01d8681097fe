import { z } from 'zod'
import { record } from '../../core/record.ts'
import { EXTRACTION, type Extraction } from '../../core/traffic/extract-proxies.ts'
import { ExtractionInput } from '../../core/traffic/extraction-input.ts'
import { required } from './fields.ts'

const { shape } = ExtractionInput
const config = shape.extractConfig.unwrap().shape

/** Body of an extraction (rules 6.5). */
const fields = {
  ...shape,
  productNo: shape.productNo.meta({
    description: 'A dynamic product; without it the one that suits and has traffic left',
  }),
  proxyType: shape.proxyType.meta({ description: '104 or 105; the product must be of this type' }),
  userId: shape.userId.meta({
    description: 'Whose traffic: the caller’s, or that of a direct sub-user of the calling agent',
  }),
  countryCode: shape.countryCode.meta({ description: 'ISO 3166-1 alpha-2' }),
  cityCode: shape.cityCode.meta({ description: '`cityCode` of the product query, or an English city name' }),
  extractConfig: z
    .object({
      ...config,
      method: config.method.meta({
        description: '`api` makes a public link as well, under which new credentials can be fetched',
      }),
      validTime: config.validTime.meta({ description: 'Minutes for which a sticky session keeps its exit' }),
      sticky: config.sticky.meta({
        description: 'Each credential keeps its exit; otherwise every request may get another one',
      }),
      returnType: config.returnType.meta({ description: '`txt` answers the credentials in `text` as well' }),
      delimiter: config.delimiter.meta({
        description: 'Between lines: 1 `\\r\\n`, 2 `/br`, 3 `\\r`, 4 `\\n`, 5 `\\t`',
      }),
      format: config.format.meta({
        description:
          'How a line is written, with the words host, port, username and password, and protocol if wanted; ' +
          '`host:port:username:password` when missing',
      }),
    })
    .prefault({})
    .meta({ description: 'How many credentials, and in which shape' }),
}

export const ExtractionBody = z.object(fields).meta({ id: 'Extraction' })

/** Body of an extraction that has to name product and type (rules 6.5). */
export const FullExtractionBody = z
  .object({
    ...fields,
    productNo: required(required(fields.productNo)).meta({ description: 'A dynamic product' }),
    proxyType: required(required(fields.proxyType)).meta({ description: fields.proxyType.description ?? '' }),
  })
  .meta({ id: 'FullExtraction' })

const { productNo, method, ...others } = EXTRACTION

/** Answer to an extraction: the credentials with which clients connect to the gateway, and what belongs to all of them. */
export const ExtractionResult = record(
  {
    productNo,
    method,
    count: z.int(),
    ...others,
    apiUrl: z
      .string()
      .nullable()
      .meta({ description: 'The public link, with `method` `api`; it is told this once' }),
  },
  { id: 'ExtractionResult' },
)

/** @param linkBase address below which public links are */
export function toExtractionResult(extraction: Extraction, linkBase: string) {
  const { items, linkToken } = extraction
  const apiUrl = linkToken === null ? null : linkBase + linkToken
  return ExtractionResult.show({ ...extraction, count: items.length, apiUrl })
}

export const extractionExample = toExtractionResult(
  {
    productNo: 'DYN-2',
    method: 'password',
    expiresAt: '2026-11-20T18:02:00.123Z',
    items: [
      {
        host: 'gw2.proxy.example',
        port: 8002,
        username: 'u0q2w3e4r5t6y7-country-us-session-a1b2c3d4-lifetime-5',
        password: 'GkT4mP9sWx2Rb7Nq5Hjz',
        protocol: 'http',
        session: 'a1b2c3d4',
        countryCode: 'US',
        proxyUrl:
          'http://u0q2w3e4r5t6y7-country-us-session-a1b2c3d4-lifetime-5:GkT4mP9sWx2Rb7Nq5Hjz@gw2.proxy.example:8002',
      },
    ],
    text: null,
    linkToken: null,
  },
  '',
)
