/**
 * Changes whenever the steps of a dialogue change (`dialogue/`: what is waited for, shown or done, in which order), or what a
 * question has to know: an unfinished one of the old kind is then dropped instead of misread.
 */
export const DIALOGUE_VERSION = 11
