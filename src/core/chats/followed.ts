/** What a live screen shows: when it changes, the screen is drawn anew (rules 18.8). */
export type Followed =
  | { readonly kind: 'top_up'; readonly orderNo: string }
  /** The proxies of an order, or a renewal of them, are waited for. */
  | { readonly kind: 'order'; readonly orderNo: string }
  /** Renewals of many proxies of an account are waited for. */
  | { readonly kind: 'renewals'; readonly accountId: number }
  /** Money is waited for. */
  | { readonly kind: 'balance'; readonly accountId: number }
  /** The proxies of an order are tested. */
  | { readonly kind: 'test'; readonly orderId: number }
  /** All proxies of a user are tested. */
  | { readonly kind: 'tests'; readonly userId: number }
  /** A broadcast goes out: whoever sends it shows its progress. */
  | { readonly kind: 'broadcast'; readonly id: number }
  /** Nothing is followed: the screen stays as this message shows it. */
  | { readonly kind: 'staying'; readonly messageId: number; readonly hash: string }

/** The subjects whose changes draw the screen anew. */
export type Refreshed = Exclude<Followed, { readonly kind: 'broadcast' | 'staying' }>

/** Returns the text that is stored with the chat; for a top-up, its number alone. */
export function followedText(followed: Followed): string {
  switch (followed.kind) {
    case 'top_up':
      return followed.orderNo
    case 'order':
      return `order:${followed.orderNo}`
    case 'balance':
    case 'renewals':
      return `${followed.kind}:${followed.accountId}`
    case 'test':
      return `test:${followed.orderId}`
    case 'tests':
      return `tests:${followed.userId}`
    case 'broadcast':
      return `broadcast ${followed.id}`
    case 'staying':
      return `stays:${followed.messageId}:${followed.hash}`
  }
}

/** Parses the stored text of a {@link Refreshed}. */
export function followedIn(text: string): Refreshed {
  const [, kind, id = ''] = /^(order|balance|renewals|tests?):(.*)$/.exec(text) ?? []
  switch (kind) {
    case 'order':
      return { kind, orderNo: id }
    case 'balance':
    case 'renewals':
      return { kind, accountId: Number(id) }
    case 'test':
      return { kind, orderId: Number(id) }
    case 'tests':
      return { kind, userId: Number(id) }
    default:
      return { kind: 'top_up', orderNo: text }
  }
}
