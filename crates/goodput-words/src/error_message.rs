//! Errors whose text is a message: from one list of variants their Display, Error and conversions.

use crate::message;
use goodput_model::Message;
use std::error::Error;
use std::io::{self, ErrorKind};

/// An error with a typed text.
pub trait ErrorMessage: Error {
    /// Without its sources.
    fn message(&self) -> Message;

    /// With all its sources, without repetitions: `cannot read the key file x: Permission denied (os error 13)`.
    fn message_with_sources(&self) -> Message {
        with_sources(self.message(), self.source())
    }
}

/// Errors of the operating system (errno(3)); other texts stay English.
impl ErrorMessage for io::Error {
    fn message(&self) -> Message {
        let Some(code) = self.raw_os_error() else { return self.to_string().into() };
        let code = code.to_string();
        let known = match self.kind() {
            ErrorKind::PermissionDenied if code == "13" => message!(error_os_permission { code }),
            ErrorKind::PermissionDenied => message!(error_os_not_permitted { code }),
            ErrorKind::NotFound => message!(error_os_no_such_file { code }),
            ErrorKind::AlreadyExists => message!(error_os_exists { code }),
            ErrorKind::StorageFull => message!(error_os_no_space { code }),
            ErrorKind::ReadOnlyFilesystem => message!(error_os_read_only { code }),
            ErrorKind::NotADirectory => message!(error_os_not_a_directory { code }),
            ErrorKind::IsADirectory => message!(error_os_is_a_directory { code }),
            ErrorKind::AddrInUse => message!(error_os_address_in_use { code }),
            ErrorKind::AddrNotAvailable => message!(error_os_cannot_assign { code }),
            ErrorKind::ConnectionRefused => message!(error_os_refused { code }),
            ErrorKind::ConnectionReset => message!(error_os_reset { code }),
            ErrorKind::BrokenPipe => message!(error_os_broken_pipe { code }),
            ErrorKind::NetworkUnreachable => message!(error_os_unreachable_network { code }),
            ErrorKind::HostUnreachable => message!(error_os_no_route { code }),
            ErrorKind::TimedOut => message!(error_os_timed_out { code }),
            _ => return self.to_string().into(),
        };
        if known == self.to_string().as_str() { known } else { self.to_string().into() }
    }
}

/// A text, and an error that caused it with all its sources.
pub fn with_sources(text: Message, source: Option<&(dyn Error + 'static)>) -> Message {
    let mut text = text;
    let mut next = source;
    while let Some(error) = next {
        let cause = error.downcast_ref::<io::Error>();
        let cause = cause.map_or_else(|| error.to_string().into(), io::Error::message);
        if !text.ends_with(cause.as_str()) {
            text = message!(list_colon { what: text, why: cause });
        }
        next = error.source();
    }
    text
}

/// An error of another crate with its sources, in English.
pub fn foreign_error(error: &(dyn Error + 'static)) -> Message {
    with_sources(error.to_string().into(), error.source())
}

/// Implements [`ErrorMessage`], `Display` and `Error` of a type. `sources` has the errors that caused it, `from` the
/// errors that become a variant.
///
/// ```text
/// error_messages! {
///     KeyError {
///         KeyError::Read { path, .. } => message!(error_cannot_read_key { path: path.display().to_string() }),
///         KeyError::Bus(error) => error.message(),
///     }
///     sources { KeyError::Read { source, .. } => source }
///     from { BusError => KeyError::Bus }
/// }
/// ```
#[macro_export]
macro_rules! error_messages {
    (
        $type:ty { $($pattern:pat => $message:expr),+ $(,)? }
        $(sources { $($caused:pat => $source:expr),+ $(,)? })?
        $(from { $($from:ty => $variant:expr),+ $(,)? })?
    ) => {
        impl $crate::error_message::ErrorMessage for $type {
            fn message(&self) -> $crate::Message {
                match self {
                    $($pattern => $message.into(),)+
                }
            }
        }

        impl ::std::fmt::Display for $type {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.pad(&$crate::error_message::ErrorMessage::message(self))
            }
        }

        impl ::std::error::Error for $type {
            $(
                fn source(&self) -> Option<&(dyn ::std::error::Error + 'static)> {
                    match self {
                        $($caused => Some($source),)+
                        #[allow(unreachable_patterns)]
                        _ => None,
                    }
                }
            )?
        }

        $($(
            impl From<$from> for $type {
                fn from(error: $from) -> $type {
                    $variant(error)
                }
            }
        )+)?
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    enum Broken {
        Read { path: String, source: io::Error },
        Other(io::Error),
    }

    error_messages! {
        Broken {
            Broken::Read { path, .. } => message!(error_cannot_read { path }),
            Broken::Other(error) => error.message(),
        }
        sources { Broken::Read { source, .. } => source }
        from { io::Error => Broken::Other }
    }

    #[test]
    fn an_error_has_its_message_and_its_sources() {
        let source = io::Error::from_raw_os_error(13);
        let broken = Broken::Read { path: "/x".into(), source };
        assert_eq!(broken.to_string(), "cannot read /x");
        let whole = broken.message_with_sources();
        assert_eq!(whole, "cannot read /x: Permission denied (os error 13)");
        let russian = crate::Translator::new(crate::Language::Russian).format_message(&whole);
        assert!(russian.ends_with("(os error 13)") && !russian.contains("denied"), "{russian}");
        let other = Broken::from(io::Error::other("odd"));
        assert_eq!(other.message_with_sources(), "odd");
        assert!(other.source().is_none());
    }
}
