/** Hears how many steps of a long work are done, after each of them. */
export type Tell = (done: number, total: number) => void
