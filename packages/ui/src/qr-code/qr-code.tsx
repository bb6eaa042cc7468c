import { QRCodeSVG } from 'qrcode.react'

// Loaded when a page first needs a QR code.

/** §2, §9. Narrower on narrow screens. */
const widthPx = 400
/** Margin that scanners need, in modules (ISO/IEC 18004). */
const quietZone = 4

/** Black on white in every theme: most scanners cannot read a light code on a dark background. */
export const QrCode = ({ value, label }: { value: string; label: string }) => (
  <QRCodeSVG value={value} size={widthPx} level="M" marginSize={quietZone} bgColor="#ffffff" fgColor="#000000" aria-label={label} />
)
