/** Makes zip archives, valid and invalid. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface Member {
  readonly name: string;
  readonly content: Uint8Array | string;
  /** 8 is deflate, 0 is stored. */
  readonly method?: number;
  /** General purpose bits; bit 0 marks it as encrypted. */
  readonly flags?: number;
  /** Stated instead of the right ones. */
  readonly crc?: number;
  readonly size?: number;
}

export function zip(...members: readonly Member[]): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const member of members) {
    const content = Buffer.from(member.content);
    const packed = member.method === 0 ? content : deflateRawSync(content);
    const name = Buffer.from(member.name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(member.flags ?? 0, 2);
    common.writeUInt16LE(member.method ?? 8, 4);
    common.writeUInt32LE(member.crc ?? crc32(content), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(member.size ?? content.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, name, packed]);
    const entry = Buffer.alloc(14);
    entry.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), common, entry, name]));
    bodies.push(local);
    offset += local.length;
  }
  const listing = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(listing.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, listing, end]);
}
