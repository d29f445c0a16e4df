//! One series as a compressed file of named integer columns.
//!
//! ```text
//! "GPSC"            4 bytes
//! version           u16, big-endian
//! zstd frame over:
//!   series name     length as varint, UTF-8
//!   columns         varint
//!   rows            varint
//!   column names    each: length as varint, UTF-8
//!   columns         each: rows differences to the value before (the first to 0), zigzag varints
//! ```
//!
//! Varints are little-endian base 128, at most 10 bytes; differences wrap at 64 bits. Times and counters have
//! small, similar differences, which zstd compresses well. The decoder trusts nothing: it allocates while
//! reading and stops at [`MAX_CHUNK_VALUES`].

use crate::format;
use goodput_model::series::{Series, SeriesColumn};
use goodput_words::{Message, error_messages, message};
use std::io::{self, BufRead, BufReader};

pub const CHUNK_MAGIC: [u8; 4] = *b"GPSC";

/// Most rows × columns of a chunk, 512 MiB in memory: bounds hostile input.
pub const MAX_CHUNK_VALUES: u64 = 1 << 26;

pub const MAX_COLUMNS: u64 = 1 << 10;

pub const MAX_COLUMN_NAME_BYTES: u64 = 1 << 10;

#[derive(Debug)]
pub enum ChunkError {
    /// No magic bytes.
    NotAChunk,
    Version {
        theirs: u16,
        ours: u16,
    },
    Damaged(&'static str),
    TooLarge {
        what: &'static str,
        value: u64,
        most: u64,
    },
    /// Columns differ in length.
    Ragged {
        column: String,
        found: usize,
        /// The first column's length.
        rows: usize,
    },
    Zstd(io::Error),
}

error_messages! {
    ChunkError {
        ChunkError::NotAChunk => message!(error_chunk_not_one),
        ChunkError::Version { theirs, ours } => {
            message!(error_chunk_format { theirs: theirs.to_string(), ours: *ours })
        },
        ChunkError::Damaged(what) => message!(error_chunk_damaged { what: Message::from(*what) }),
        ChunkError::TooLarge { what, value, most } => {
            let (what, value, most) = (Message::from(*what), value.to_string(), most.to_string());
            message!(error_chunk_too_large { what, value, most })
        },
        ChunkError::Ragged { column, found, rows } => {
            let (column, found, rows) = (format!("{column:?}"), found.to_string(), rows.to_string());
            message!(error_chunk_ragged { column, found, rows })
        },
        ChunkError::Zstd(_) => message!(error_chunk_compression),
    }
    sources { ChunkError::Zstd(source) => source }
}

pub fn encode_chunk(series: &Series) -> Result<Vec<u8>, ChunkError> {
    let rows = series.len();
    bounded("the number of columns", series.columns.len() as u64, MAX_COLUMNS)?;
    bounded(
        "rows times columns",
        (rows as u64).saturating_mul(series.columns.len() as u64),
        MAX_CHUNK_VALUES,
    )?;
    let mut body = Vec::new();
    put_name(&mut body, &series.name)?;
    put_varint(&mut body, series.columns.len() as u64);
    put_varint(&mut body, rows as u64);
    for column in &series.columns {
        if column.values.len() != rows {
            let (column, found) = (column.name.clone(), column.values.len());
            return Err(ChunkError::Ragged { column, found, rows });
        }
        put_name(&mut body, &column.name)?;
    }
    for column in &series.columns {
        let mut before = 0i64;
        for &value in &column.values {
            put_varint(&mut body, zigzag(value.wrapping_sub(before)));
            before = value;
        }
    }
    let mut chunk = CHUNK_MAGIC.to_vec();
    chunk.extend_from_slice(&format::CHUNK_FORMAT_VERSION.to_be_bytes());
    chunk.extend(zstd::encode_all(&body[..], 3).map_err(ChunkError::Zstd)?);
    Ok(chunk)
}

/// Never panics, and never uses more memory than [`MAX_CHUNK_VALUES`] need.
pub fn decode_chunk(chunk: &[u8]) -> Result<Series, ChunkError> {
    decode_chunk_within(chunk, MAX_CHUNK_VALUES)
}

/// Allocates for at most `most` rows × columns.
pub fn decode_chunk_within(chunk: &[u8], most: u64) -> Result<Series, ChunkError> {
    let Some((head, frame)) = chunk.split_first_chunk::<6>() else { return Err(ChunkError::NotAChunk) };
    let [magic @ .., high, low] = *head;
    if magic != CHUNK_MAGIC {
        return Err(ChunkError::NotAChunk);
    }
    let theirs = u16::from_be_bytes([high, low]);
    if theirs == 0 || theirs > format::CHUNK_FORMAT_VERSION {
        return Err(ChunkError::Version { theirs, ours: format::CHUNK_FORMAT_VERSION });
    }
    let unpacked = zstd::stream::read::Decoder::new(frame).map_err(ChunkError::Zstd)?;
    let mut body = Body(BufReader::with_capacity(1 << 16, unpacked));
    let name = body.name()?;
    let columns = bounded("the number of columns", body.varint()?, MAX_COLUMNS)?;
    let rows = body.varint()?;
    // A series without columns has no rows: otherwise any number would be accepted.
    if columns == 0 && rows != 0 {
        return Err(ChunkError::Damaged("rows without columns"));
    }
    bounded("rows times columns", rows.saturating_mul(columns), most)?;
    let names = (0..columns).map(|_| body.name()).collect::<Result<Vec<_>, _>>()?;
    let columns = names
        .into_iter()
        .map(|name| Ok(SeriesColumn { name, values: body.column(rows)? }))
        .collect::<Result<Vec<_>, ChunkError>>()?;
    body.end()?;
    Ok(Series { name, columns })
}

struct Body<R>(R);

impl<R: BufRead> Body<R> {
    fn byte(&mut self) -> Result<u8, ChunkError> {
        let buffer = self.0.fill_buf().map_err(|_| ChunkError::Damaged("the compressed part"))?;
        let byte = *buffer.first().ok_or(ChunkError::Damaged("it ends too early"))?;
        self.0.consume(1);
        Ok(byte)
    }

    fn varint(&mut self) -> Result<u64, ChunkError> {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                break;
            }
            value |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(ChunkError::Damaged("a number longer than 64 bits"))
    }

    fn name(&mut self) -> Result<String, ChunkError> {
        let length = bounded("the length of a name", self.varint()?, MAX_COLUMN_NAME_BYTES)?;
        let bytes = (0..length).map(|_| self.byte()).collect::<Result<Vec<_>, _>>()?;
        String::from_utf8(bytes).map_err(|_| ChunkError::Damaged("a name that is not UTF-8"))
    }

    /// Grows with the actual data: the number of rows is untrusted.
    fn column(&mut self, rows: u64) -> Result<Vec<i64>, ChunkError> {
        let mut values = Vec::new();
        let mut before = 0i64;
        for _ in 0..rows {
            before = before.wrapping_add(unzigzag(self.varint()?));
            values.push(before);
        }
        Ok(values)
    }

    fn end(&mut self) -> Result<(), ChunkError> {
        match self.0.fill_buf() {
            Ok([]) => Ok(()),
            Ok(_) => Err(ChunkError::Damaged("it goes on after its end")),
            Err(_) => Err(ChunkError::Damaged("the compressed part")),
        }
    }
}

fn bounded(what: &'static str, value: u64, most: u64) -> Result<u64, ChunkError> {
    if value > most { Err(ChunkError::TooLarge { what, value, most }) } else { Ok(value) }
}

fn put_name(out: &mut Vec<u8>, name: &str) -> Result<(), ChunkError> {
    put_varint(out, bounded("the length of a name", name.len() as u64, MAX_COLUMN_NAME_BYTES)?);
    out.extend_from_slice(name.as_bytes());
    Ok(())
}

fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}

fn unzigzag(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn packed(body: &[u8]) -> Vec<u8> {
        let mut chunk = b"GPSC\x00\x01".to_vec();
        chunk.extend(zstd::encode_all(body, 3).unwrap());
        chunk
    }

    #[test]
    fn zigzag_is_the_documented_one() {
        // From the Protocol Buffers encoding guide, "Signed Integers".
        for (value, coded) in [(0, 0), (-1, 1), (1, 2), (-2, 3), (-0x8000_0000, 0xffff_ffff)] {
            assert_eq!((zigzag(value), unzigzag(coded)), (coded, value));
        }
        assert_eq!(unzigzag(zigzag(i64::MIN)), i64::MIN);
    }

    #[test]
    fn the_layout_is_the_documented_one() {
        let series = Series::new("rt", vec![("t_ns", vec![150, 300]), ("v", vec![-1, -1])]);
        let chunk = encode_chunk(&series).unwrap();
        assert_eq!(&chunk[..6], b"GPSC\x00\x01");
        let body = zstd::decode_all(&chunk[6..]).unwrap();
        // 150 is 0xAC 0x02 after zigzag (300); twice, because 300 − 150 = 150.
        assert_eq!(body, b"\x02rt\x02\x02\x04t_ns\x01v\xac\x02\xac\x02\x01\x00");
    }

    #[test]
    fn regular_samples_are_small() {
        let times = (0..100_000).map(|i| 1_000_000_000 + i * 20_000 + i % 7).collect();
        let chunk = encode_chunk(&Series::new("s", vec![("t_ns", times)])).unwrap();
        assert!(chunk.len() < 10_000, "{} bytes for 800,000", chunk.len());
    }

    #[test]
    fn a_series_that_nobody_could_read_is_not_written() {
        let ragged = Series::new("s", vec![("a", vec![1, 2]), ("b", vec![1])]);
        assert!(matches!(encode_chunk(&ragged), Err(ChunkError::Ragged { found: 1, rows: 2, .. })));
        let long = Series::new("x".repeat(2_000), vec![]);
        assert!(matches!(encode_chunk(&long), Err(ChunkError::TooLarge { .. })));
    }

    #[test]
    fn a_few_bytes_do_not_fill_the_memory() {
        // Claims of 2^60 rows, endless columns, and rows without columns.
        let rows = packed(b"\x00\x01\x80\x80\x80\x80\x80\x80\x80\x80\x10\x00");
        assert!(matches!(decode_chunk(&rows), Err(ChunkError::TooLarge { .. })));
        let columns = packed(b"\x00\xff\xff\xff\x7f\x01");
        assert!(matches!(decode_chunk(&columns), Err(ChunkError::TooLarge { .. })));
        assert!(matches!(decode_chunk(&packed(b"\x00\x00\x01")), Err(ChunkError::Damaged(_))));
        // A megabyte of zeros compresses to almost nothing, and exceeds the single announced row.
        let mut bomb = b"\x00\x01\x01\x00".to_vec();
        bomb.resize(1 << 20, 0);
        assert!(matches!(decode_chunk(&packed(&bomb)), Err(ChunkError::Damaged("it goes on after its end"))));
    }

    #[test]
    fn foreign_and_later_chunks_are_told_apart() {
        assert!(matches!(decode_chunk(b""), Err(ChunkError::NotAChunk)));
        assert!(matches!(decode_chunk(b"PK\x03\x04\x00\x01"), Err(ChunkError::NotAChunk)));
        let e = decode_chunk(b"GPSC\x00\x02rest").unwrap_err();
        assert_eq!(e.to_string(), "it has chunk format 2, this program reads 1 to 1");
        assert!(matches!(decode_chunk(b"GPSC\x00\x00rest"), Err(ChunkError::Version { theirs: 0, .. })));
    }

    prop_compose! {
        fn any_series()(rows in 0usize..40, columns in 0usize..5)(
            name in ".{0,12}",
            names in prop::collection::vec("[a-z_]{0,9}", columns),
            values in prop::collection::vec(prop::collection::vec(any::<i64>(), rows), columns),
        ) -> Series {
            let columns = names.into_iter().zip(values);
            Series { name, columns: columns.map(|(name, values)| SeriesColumn { name, values }).collect() }
        }
    }

    proptest! {
        #[test]
        fn what_goes_in_comes_out(series in any_series()) {
            prop_assert_eq!(decode_chunk(&encode_chunk(&series).unwrap()).unwrap(), series);
        }

        #[test]
        fn any_bytes_are_answered(bytes: Vec<u8>) {
            let _ = decode_chunk(&bytes);
            let _ = decode_chunk(&packed(&bytes));
        }

        #[test]
        fn a_changed_chunk_is_answered(series in any_series(), at: prop::sample::Index, bit in 0u8..8, cut: prop::sample::Index) {
            let mut chunk = encode_chunk(&series).unwrap();
            let i = at.index(chunk.len());
            chunk[i] ^= 1 << bit;
            let _ = decode_chunk(&chunk);
            let _ = decode_chunk(&chunk[..cut.index(chunk.len())]);
        }
    }
}
