interface ImageSize {
  readonly type: 'image/png' | 'image/jpeg'
  readonly width: number
  readonly height: number
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Reads type and size in pixels from the header of a PNG or JPEG; undefined for anything else. The pixels are not decoded. */
export function imageSize(content: Buffer): ImageSize | undefined {
  if (content.subarray(0, 8).equals(PNG_SIGNATURE)) {
    const isHeader = content.length >= 24 && content.toString('latin1', 12, 16) === 'IHDR'
    return isHeader
      ? { type: 'image/png', width: content.readUInt32BE(16), height: content.readUInt32BE(20) }
      : undefined
  }
  return content.length > 4 && content.readUInt16BE(0) === 0xffd8 ? jpegSize(content) : undefined
}

/** Walks over the segments of a JPEG up to the frame header (SOF0 to SOF15 without DHT, JPG and DAC). */
function jpegSize(content: Buffer): ImageSize | undefined {
  let position = 2
  while (position + 9 <= content.length && content[position] === 0xff) {
    const marker = content.readUInt8(position + 1)
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return {
        type: 'image/jpeg',
        height: content.readUInt16BE(position + 5),
        width: content.readUInt16BE(position + 7),
      }
    }
    position += 2 + content.readUInt16BE(position + 2)
  }
  return undefined
}
