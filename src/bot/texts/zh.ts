/** Everything the bot says, in Chinese. */

export * from '../kit/texts.zh.ts'
export * from '../notices/texts.zh.ts'
export * from '../topics/buy/texts.zh.ts'
export * from '../topics/home/texts.zh.ts'
export * from '../topics/log-in/texts.zh.ts'
export * from '../topics/operator/texts.zh.ts'
export * from '../topics/orders/texts.zh.ts'
export * from '../topics/records/texts.zh.ts'
export * from '../topics/settings/texts.zh.ts'
export * from '../topics/top-ups/texts.zh.ts'
export * from '../topics/traffic/texts.zh.ts'
export * from '../topics/users/texts.zh.ts'
