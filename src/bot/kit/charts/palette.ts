/** One look for all pictures, with a background of their own: they stand in light chats and in dark ones. */
export const COLOR = {
  background: '#101828',
  grid: '#24314d',
  axis: '#4a5b7d',
  text: '#f5f8ff',
  muted: '#9fb0d0',
  own: '#5ba8ff',
  subUsers: '#f7b955',
} as const
