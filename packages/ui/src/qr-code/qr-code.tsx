import { QRCodeSVG } from 'qrcode.react'

// Loaded by create-factor.tsx when first needed.

/** §2, §9: 400 px wide, less where the screen is narrower. */
const widthPx = 400
/** What readers need around it (ISO/IEC 18004), in modules. */
const quietZone = 4

/** Dark on white in every theme: most readers do not see a light code on a dark ground. */
export const QrCode = ({ value, label }: { value: string; label: string }) => (
  <QRCodeSVG value={value} size={widthPx} level="M" marginSize={quietZone} bgColor="#ffffff" fgColor="#000000" aria-label={label} />
)
