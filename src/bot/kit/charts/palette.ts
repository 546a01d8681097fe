/** Colours of all pictures. The background is their own, because chats are light or dark. */
export const COLOR = {
  background: '#101828',
  grid: '#24314d',
  axis: '#4a5b7d',
  text: '#f5f8ff',
  muted: '#9fb0d0',
  own: '#5ba8ff',
  subUsers: '#f7b955',
} as const

/** Size of all letters of a chart that is 800 wide: on a phone of 360 pixels, where it takes some 320, they are 12 pixels high. */
export const FONT = 30
