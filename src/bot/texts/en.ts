/** Everything the bot says, in English. Chinese has the same shape, so a missing text does not compile. */

export * from '../kit/texts.en.ts'
export * from '../notices/texts.en.ts'
export * from '../topics/buy/texts.en.ts'
export * from '../topics/home/texts.en.ts'
export * from '../topics/log-in/texts.en.ts'
export * from '../topics/operator/texts.en.ts'
export * from '../topics/orders/texts.en.ts'
export * from '../topics/records/texts.en.ts'
export * from '../topics/settings/texts.en.ts'
export * from '../topics/top-ups/texts.en.ts'
export * from '../topics/traffic/texts.en.ts'
export * from '../topics/users/texts.en.ts'
